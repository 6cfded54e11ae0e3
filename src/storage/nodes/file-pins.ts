/**
 * Files that operations on any node have stored before a committed change refers to them. They must not be deleted.
 *
 * An operation pins a file before it stores it, and releases its pins after its change is committed. The collector
 * starts a watch, then reads the references, and then, when the file can no longer be stored concurrently, checks the
 * watch. A file that is not in the watch was either stored again after its deletion, or its change was committed before
 * the watch began.
 */
export interface SharedPins {
  /** Resolves when every node sees the pins. */
  pin(operation: string, files: readonly string[]): Promise<void>;
  /** Releases the pins after the commit or the failure of the operation. */
  end(operation: string): Promise<void>;
  watch(): Promise<SharedPinWatch>;
}

export interface SharedPinWatch {
  /** Returns whether a file is pinned or was pinned since the watch began. */
  has(file: string): Promise<boolean>;
}

/** Stands for every file, for work that reads all of them. */
export const EVERY_PINNED_FILE = '*';
