# Goes with one thread of a kernel over a barrier: gdb -batch -x chapters/06_cuda_kernels/step.gdb PROGRAM
set debuginfod enabled off
set print frame-arguments none
set args --broken whole
break broken.cu:25 if threadIdx.x == 33
set trace-commands on
run
print threadIdx
print mine
print *of_warps@4
next
print *of_warps@4
print threadIdx
