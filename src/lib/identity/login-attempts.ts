/** Counters of login attempts: in memory for one server, in the shared database for several nodes. */

export interface AttemptLimits {
  readonly windowMs: number;
  /** Wrong passwords for one account from one address. */
  readonly perAccountAndAddress: number;
  /** Wrong passwords from one address, for any account. */
  readonly perAddress: number;
  /** Wrong passwords for one account from all addresses; beyond it attempts are delayed, but still checked. */
  readonly perAccount: number;
}

/** The keys that an attempt is counted by. */
export interface AttemptKeys {
  /** The account and the address. */
  readonly pair: string;
  readonly address: string;
  readonly account: string;
  /** The address and the account exactly as the client spelled it. */
  readonly spelled: string;
}

/** `unanswered`: no provider was available to check the password, so it counts neither as right nor as wrong. */
export type AttemptOutcome = 'right' | 'wrong' | 'unanswered';

export type Reservation =
  | { readonly kind: 'reserved' /** Whether the account has too many wrong passwords. */; readonly isSlowed: boolean }
  | { readonly kind: 'refused' /** The time until the wrong passwords expire. */; readonly leftMs: number }
  /** Attempts in progress could reach the limit: the caller retries when one of them has ended. */
  | { readonly kind: 'full' };

export interface LoginAttempts {
  /** Whether other nodes use the same counters, so that attempts can end without a notification. */
  readonly isShared: boolean;
  /** Reserves an attempt before its password is checked, if it stays within the limits even when it is wrong. */
  reserve(keys: AttemptKeys, limits: AttemptLimits): Promise<Reservation>;
  /** Ends a reserved attempt. A right password resets the wrong ones of the same spelling. */
  settle(keys: AttemptKeys, outcome: AttemptOutcome, windowMs: number): Promise<void>;
  /** Counts a wrong password that was checked without a reservation. */
  countWrong(keys: AttemptKeys, windowMs: number): Promise<void>;
}
