// Double pendulums of unit rods and masses on a GPU, by hand: one thread for each, 10 s from rest, Dormand and Prince of order 5 with a step of its own.
// Starts, method and tolerance are those of ensemble.c. Usage: ensemble COUNT TOLERANCE; prints the milliseconds of the best of four.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#ifdef UNFUSED
// CUDA's own sine and cosine fuse multiplications with additions whatever the options say, which no processor without such an instruction can
// follow bit for bit. These do not: reduction by Cody and Waite, for |x| < 2e5, then a polynomial each.
__device__ __forceinline__ void sincos_unfused(double x, double *sine, double *cosine)
{
    const double shifted = x * 0.6366197723675814 + 6755399441055744.0, n = shifted - 6755399441055744.0;
    const long long quarter = __double_as_longlong(shifted);
    const double r = x - n * 1.5707963267923333 - n * 2.5633441515839558e-12, z = r * r;
    const double s = r + r * z * (-0.1666666666666663 + z * (0.00833333333332184 + z * (-0.00019841269829358528 + z *
        (2.755731353851463e-06 + z * (-2.5050734389409754e-08 + z * 1.5895433303551341e-10)))));
    const double c = 1 - z * 0.5 + z * z * (0.041666666666666595 + z * (-0.0013888888888873342 + z * (2.480158728900208e-05 + z *
        (-2.7557314217039046e-07 + z * (2.087570539610031e-09 + z * -1.135874924668815e-11)))));
    const double first = quarter & 1 ? c : s, second = quarter & 1 ? s : c;
    *sine = quarter & 2 ? -first : first;
    *cosine = (quarter + 1) & 2 ? -second : second;
}
#define sincos sincos_unfused
#endif

__device__ __forceinline__ void rates(const double *y, double *rate)
{
    const double g = 9.81;
    double s1, c1, s2, c2;
    sincos(y[0], &s1, &c1);
    sincos(y[1], &s2, &c2);
    const double s = s1 * c2 - c1 * s2, c = c1 * c2 + s1 * s2, inverse = 1 / (2 - c * c);
    const double first = -s * y[3] * y[3] - 2 * g * s1, second = s * y[2] * y[2] - g * s2;
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = (first - c * second) * inverse;
    rate[3] = (2 * second - c * first) * inverse;
}

#define EACH for (int i = 0; i < 4; i++)
#define STAGE(slope, sum) { EACH stage[i] = y[i] + h * (sum); rates(stage, slope); }

__global__ void run(long count, double tolerance, double *out)
{
    const long k = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (k >= count) return;
    const double end = 10, pi = 3.14159265358979323846;
    const double u = (k + 1) * 0.6180339887498949, v = (k + 1) * 1.4142135623730951;
    double y[4] = {pi * (2 * (u - floor(u)) - 1), pi * (2 * (v - floor(v)) - 1), 0, 0};
    double k1[4], k2[4], k3[4], k4[4], k5[4], k6[4], k7[4], stage[4], next[4], t = 0, step = 0.01, old = 1e-4;
    rates(y, k1);
    while (t < end - 1e-12) {
        const double h = t + 1.01 * step >= end ? end - t : step;
        STAGE(k2, 0.2 * k1[i])
        STAGE(k3, 3. / 40 * k1[i] + 9. / 40 * k2[i])
        STAGE(k4, 44. / 45 * k1[i] - 56. / 15 * k2[i] + 32. / 9 * k3[i])
        STAGE(k5, 19372. / 6561 * k1[i] - 25360. / 2187 * k2[i] + 64448. / 6561 * k3[i] - 212. / 729 * k4[i])
        STAGE(k6, 9017. / 3168 * k1[i] - 355. / 33 * k2[i] + 46732. / 5247 * k3[i] + 49. / 176 * k4[i] - 5103. / 18656 * k5[i])
        EACH next[i] = y[i] + h * (35. / 384 * k1[i] + 500. / 1113 * k3[i] + 125. / 192 * k4[i] - 2187. / 6784 * k5[i] + 11. / 84 * k6[i]);
        rates(next, k7);
        double sum = 0;
        EACH {
            double error = h * (71. / 57600 * k1[i] - 71. / 16695 * k3[i] + 71. / 1920 * k4[i] - 17253. / 339200 * k5[i] +
                                22. / 525 * k6[i] - 1. / 40 * k7[i]);
            error /= tolerance + tolerance * fmax(fabs(y[i]), fabs(next[i]));
            sum += error * error;
        }
        const double error = sqrt(sum / 4), power = powf(fmax(error, 1e-10), 0.17f);
        if (error <= 1) {
            step = h / fmax(0.1, fmin(5.0, power / powf(old, 0.04f) / 0.9));
            old = fmax(error, 1e-4);
            t += h;
            EACH y[i] = next[i], k1[i] = k7[i];
        } else {
            step = h / fmin(10.0, power / 0.9);
        }
    }
    EACH out[4 * k + i] = y[i];
}

int main(int, char **words)
{
    const long count = atol(words[1]);
    const double tolerance = atof(words[2]);
    double *out;
    float best = INFINITY;
    if (cudaMalloc(&out, 32 * count) != cudaSuccess) return 1;
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (int turn = 0; turn < 4; turn++) {
        cudaEventRecord(begin);
        run<<<(unsigned)((count + 127) / 128), 128>>>(count, tolerance, out);
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        float milliseconds;
        cudaEventElapsedTime(&milliseconds, begin, end);
        best = fminf(best, milliseconds);
    }
    if (cudaGetLastError() != cudaSuccess) return 1;
    printf("%.3f ms\n", best);
    return 0;
}
