/** What stops the resolving of a filter, inside this module only: its callers get an outcome. */
export class ResolveError extends Error {
  override readonly name = 'ResolveError';
  /** The part of the filter that is at fault; the whole of it where that is undefined. */
  readonly part: object | undefined;

  constructor(part: object | undefined, message: string) {
    super(message);
    this.part = part;
  }
}
