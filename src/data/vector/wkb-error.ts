/** Bytes that are no geometry, with the place where that showed. */
export class WkbError extends Error {
  override readonly name = 'WkbError';
  readonly offset: number;

  constructor(offset: number, reason: string) {
    super(reason);
    this.offset = offset;
  }
}
