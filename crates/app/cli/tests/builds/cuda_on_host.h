/* As much of CUDA as a sample program uses, on the processor: threads take turns. */
#include <cstdlib>
#include <cstring>
#define __device__
#define __global__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(threads, blocks)
struct place { unsigned x; };
static place blockIdx, blockDim, threadIdx;
typedef int cudaError_t;
typedef int cudaEvent_t;
enum { cudaDevAttrMultiProcessorCount = 16 };
enum { cudaSuccess, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
static inline const char *cudaGetErrorString(cudaError_t) { return "no memory"; }
static inline cudaError_t cudaGetLastError() { return cudaSuccess; }
static inline cudaError_t cudaSetDevice(int) { return cudaSuccess; }
static inline cudaError_t cudaDeviceGetAttribute(int *value, int, int) { return *value = 1, cudaSuccess; }
static inline unsigned long long atomicAdd(unsigned long long *at, unsigned long long more) { return (*at += more) - more; }
static inline cudaError_t cudaMalloc(void **at, size_t size) { return (*at = malloc(size)) == nullptr; }
static inline cudaError_t cudaFree(void *at) { return free(at), cudaSuccess; }
static inline cudaError_t cudaMemset(void *at, int value, size_t size) { return memset(at, value, size), cudaSuccess; }
static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t size, int) { return size > 0 ? (memcpy(to, from, size), cudaSuccess) : cudaSuccess; }
static inline cudaError_t cudaEventCreate(cudaEvent_t *) { return cudaSuccess; }
static inline cudaError_t cudaEventRecord(cudaEvent_t) { return cudaSuccess; }
static inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
static inline cudaError_t cudaEventElapsedTime(float *time, cudaEvent_t, cudaEvent_t) { return *time = 0, cudaSuccess; }
template <class Kernel, class... Arguments> static void launch(unsigned blocks, unsigned threads, Kernel kernel, Arguments... arguments)
{
    blockDim.x = threads;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < threads; threadIdx.x++) kernel(arguments...);
}
