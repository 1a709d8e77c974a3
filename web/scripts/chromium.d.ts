/** The first Chromium on the PATH, or the one that ANSATZ_CHROMIUM names. */
export function chromium(): string | null;
