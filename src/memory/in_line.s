# SPDX-License-Identifier: BSD-3-Clause
# Read by the assembler before what gcc has made of a source with -fsanitize=thread (x86-64, AT&T syntax): a
# call for an access becomes a look at the filter where it stands, and a call only where the filter says so.
# All other calls stay what they are. Whatever a call may clobber is free here: %rax, %rdx and the flags are.
# The call lies behind the function's code, where unwinding knows no frame: nothing is thrown through it.

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
