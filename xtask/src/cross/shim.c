/* Rust's library takes its random seeds from bcryptprimitives.dll, which wine has from version 9 on. This
   stands in for it in tests; it is never shipped. */
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length) {
    return RtlGenRandom(buffer, (ULONG)length);
}
