/** Counts of login attempts: of one server in memory, of several in the database that they share. */

export interface AttemptLimits {
  readonly windowMs: number;
  /** Wrong passwords for one account from one address. */
  readonly perAccountAndAddress: number;
  /** Wrong passwords from one address, whatever the account. */
  readonly perAddress: number;
  /** Wrong passwords for one account from everywhere; beyond it an attempt waits, but is still answered. */
  readonly perAccount: number;
}

/** What an attempt is counted under. */
export interface AttemptKeys {
  /** The account and the address. */
  readonly pair: string;
  readonly address: string;
  readonly account: string;
  /** The address and the account exactly as the client spelled it. */
  readonly spelled: string;
}

/** Unanswered: no provider could be asked that might know the password. That is no evidence against the password. */
export type AttemptOutcome = 'right' | 'wrong' | 'unanswered';

export type Reservation =
  | { readonly kind: 'reserved' /** Whether the account has too many wrong passwords. */; readonly isSlowed: boolean }
  | { readonly kind: 'refused' /** Until the wrong passwords count no more. */; readonly leftMs: number }
  /** Attempts under way may turn out wrong and reach the limit: the caller tries again when one has ended. */
  | { readonly kind: 'full' };

export interface LoginAttempts {
  /** Whether other servers count here too, so that attempts end without this one noticing. */
  readonly isShared: boolean;
  /** Counts an attempt as under way before its password is checked, if it stays within the limits even if it is wrong. */
  reserve(keys: AttemptKeys, limits: AttemptLimits): Promise<Reservation>;
  /** Ends a reserved attempt. A right one forgives the wrong ones of the same spelling. */
  settle(keys: AttemptKeys, outcome: AttemptOutcome, windowMs: number): Promise<void>;
  /** Counts a wrong password that was checked without a reservation. */
  countWrong(keys: AttemptKeys, windowMs: number): Promise<void>;
}
