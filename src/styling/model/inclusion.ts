/** The vendor option `inclusion`: parts of a style that only maps or only legends show. */
import type { VendorOption } from './paint.ts';

interface Includable {
  readonly vendorOptions?: readonly VendorOption[] | undefined;
}

export function isForMapsOnly(part: Includable): boolean {
  return readInclusion(part) === 'maponly';
}

export function isForLegendsOnly(part: Includable): boolean {
  return readInclusion(part) === 'legendonly';
}

function readInclusion({ vendorOptions }: Includable): string | undefined {
  const value = vendorOptions?.find(({ name }) => name.toLowerCase() === 'inclusion')?.value;
  return value?.kind === 'literal' ? value.value.trim().toLowerCase() : undefined;
}
