# SPDX-License-Identifier: BSD-3-Clause
# The assembler reads this before gcc's output of a source with -fsanitize=thread (x86-64, AT&T syntax). A call
# for an access becomes an inline read of the filter, and a call only where the filter passes the access.
# Other calls do not change. %rax, %rdx and the flags are free here, because a call may clobber them.
# The remaining call lies after the function's code, without unwind information: nothing throws through it.

.macro stretto_look callback:vararg
	movl	%edi, %eax
	movq	stretto_memory_filter@GOTPCREL(%rip), %rdx
	shrl	$12, %eax
	cmpb	$0, (%rdx,%rax)
	jne	.Lstretto_may_be\@
.Lstretto_back\@:
	.subsection 1
.Lstretto_may_be\@:
	callq	\callback
	jmp	.Lstretto_back\@
	.previous
.endm

.macro call target:vararg
	.set	.Lstretto_is_ours, 0
	.irp	access, read8, write8, read4, write4, read1, write1, read2, write2, read16, write16, unaligned_read8, unaligned_write8, unaligned_read4, unaligned_write4, unaligned_read2, unaligned_write2, unaligned_read16, unaligned_write16
	.ifc	\target, __tsan_\access\()@PLT
	.set	.Lstretto_is_ours, 1
	.endif
	.ifc	\target, __tsan_\access
	.set	.Lstretto_is_ours, 1
	.endif
	.endr
	.if	.Lstretto_is_ours
	stretto_look	\target
	.else
	callq	\target
	.endif
.endm
