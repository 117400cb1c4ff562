# SPDX-License-Identifier: BSD-3-Clause
# The assembler reads this before gcc's output of a source with -fsanitize=thread (x86-64, AT&T syntax). A call
# for an access becomes an inline test of the access's shadow bytes (shadow.hpp), and a call only where they
# are not zero. A store also counts down to the next sample; a load keeps its address (thread_state.hpp).
# Other calls do not change. %rax, %rdx, %rsi and the flags are free here, because a call may clobber them.
# The remaining call lies after the function's code, without unwind information: nothing throws through it.

# mask: of the shadow bytes that the access may concern, the bits that a load tests for
.macro stretto_load bytes, mask
	movq	stretto_memory_thread@gottpoff(%rip), %rdx
	movq	%rdi, %rax
	shrq	$3, %rax
	movq	%rdi, %fs:8(%rdx)
	testl	$\mask, 0x7fff8000(%rax)
	jne	.Lstretto_look\@
.Lstretto_back\@:
	.subsection 1
.Lstretto_look\@:
	movl	$\bytes, %esi
	leaq	.Lstretto_back\@(%rip), %rdx
	callq	stretto_memory_loads@PLT
	jmp	.Lstretto_back\@
	.previous
.endm

.macro stretto_store bytes, mask
	movq	stretto_memory_thread@gottpoff(%rip), %rdx
	movq	%rdi, %rax
	shrq	$3, %rax
	decl	%fs:(%rdx)
	js	.Lstretto_look\@
	testl	$\mask, 0x7fff8000(%rax)
	jne	.Lstretto_look\@
.Lstretto_back\@:
	.subsection 1
.Lstretto_look\@:
	movl	$\bytes, %esi
	leaq	.Lstretto_back\@(%rip), %rdx
	callq	stretto_memory_stores@PLT
	jmp	.Lstretto_back\@
	.previous
.endm

.macro call target:vararg
	.set	.Lstretto_is_ours, 0
	.irp	bytes, 8, 4, 16, 1, 2
	.ifc	\target, __tsan_read\bytes\()@PLT
	.set	.Lstretto_is_ours, 1
	.set	.Lstretto_bytes, \bytes
	.endif
	.ifc	\target, __tsan_read\bytes\()
	.set	.Lstretto_is_ours, 1
	.set	.Lstretto_bytes, \bytes
	.endif
	.ifc	\target, __tsan_write\bytes\()@PLT
	.set	.Lstretto_is_ours, 2
	.set	.Lstretto_bytes, \bytes
	.endif
	.ifc	\target, __tsan_write\bytes\()
	.set	.Lstretto_is_ours, 2
	.set	.Lstretto_bytes, \bytes
	.endif
	.ifc	\target, __tsan_unaligned_read\bytes\()@PLT
	.set	.Lstretto_is_ours, 3
	.set	.Lstretto_bytes, \bytes
	.endif
	.ifc	\target, __tsan_unaligned_read\bytes\()
	.set	.Lstretto_is_ours, 3
	.set	.Lstretto_bytes, \bytes
	.endif
	.ifc	\target, __tsan_unaligned_write\bytes\()@PLT
	.set	.Lstretto_is_ours, 4
	.set	.Lstretto_bytes, \bytes
	.endif
	.ifc	\target, __tsan_unaligned_write\bytes\()
	.set	.Lstretto_is_ours, 4
	.set	.Lstretto_bytes, \bytes
	.endif
	.endr
	.if	.Lstretto_is_ours == 0
	callq	\target
	.elseif	.Lstretto_is_ours == 1
	.if	.Lstretto_bytes == 16
	stretto_load	.Lstretto_bytes, 0x7f7f
	.else
	stretto_load	.Lstretto_bytes, 0x7f
	.endif
	.elseif	.Lstretto_is_ours == 2
	.if	.Lstretto_bytes == 16
	stretto_store	.Lstretto_bytes, 0xffff
	.else
	stretto_store	.Lstretto_bytes, 0xff
	.endif
	.elseif	.Lstretto_is_ours == 3
	.if	.Lstretto_bytes == 16
	stretto_load	.Lstretto_bytes, 0x7f7f7f
	.else
	stretto_load	.Lstretto_bytes, 0x7f7f
	.endif
	.else
	.if	.Lstretto_bytes == 16
	stretto_store	.Lstretto_bytes, 0xffffff
	.else
	stretto_store	.Lstretto_bytes, 0xffff
	.endif
	.endif
.endm
