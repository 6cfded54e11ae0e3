/** Keeps what is derived from the whole catalog until the next change. */
import type { Catalog } from './catalog.ts';

/** Requests that arrive while it is read share the result. */
export function keepWhileUnchanged<T>(read: (catalog: Catalog) => Promise<T>): (catalog: Catalog) => Promise<T> {
  let known: { readonly position: number; readonly result: Promise<T> } | undefined;
  return (catalog) => {
    // The state of a buffered transaction has no position of its own.
    if (catalog.everyWritten !== undefined) return read(catalog);
    const position = catalog.position();
    if (known?.position === position) return known.result;
    const result = read(catalog);
    const kept = { position, result };
    known = kept;
    result.catch(() => {
      if (known === kept) known = undefined;
    });
    return result;
  };
}
