/** A call that reads another layer and is invalid. */
export class LookupError extends Error {
  override readonly name = 'LookupError';
  /** The call in the filter or style. */
  readonly call: object;

  /** The message starts in lower case and has no full stop. */
  constructor(call: object, message: string) {
    super(message);
    this.call = call;
  }
}
