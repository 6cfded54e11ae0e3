/**
 * Files that operations on any node have stored, and that no committed change names yet. They must not be removed.
 *
 * An operation pins a file before it stores it, and ends its pins after its change was committed. Whoever removes files
 * begins a watch, then reads what is in use, and then, when nobody else can store the file, asks the watch. A file that the
 * watch does not have is either stored again after it was removed, or its change was committed before the watch began.
 */
export interface SharedPins {
  /** Resolved means that every node sees them. */
  pin(operation: string, files: readonly string[]): Promise<void>;
  /** The change of the operation is committed, or nothing was changed. */
  end(operation: string): Promise<void>;
  watch(): Promise<SharedPinWatch>;
}

export interface SharedPinWatch {
  /** Whether a file is pinned, or was since the watch began. */
  has(file: string): Promise<boolean>;
}
