/** Aborts the resolution of a filter. It stays inside this module; callers get an outcome. */
export class ResolveError extends Error {
  override readonly name = 'ResolveError';
  /** The invalid part of the filter; undefined for the whole filter. */
  readonly part: object | undefined;

  constructor(part: object | undefined, message: string) {
    super(message);
    this.part = part;
  }
}
