/** The verification of credentials, for the audit log and the metrics. */
import type { SignIn } from '../lib/identity/principal.ts';
import { Problem } from '../lib/problems/problem.ts';

export type SignInResult = 'success' | 'failure' | 'throttled' | 'unavailable';

export interface SignInAttempt {
  readonly result: SignInResult;
  /** As the client sent it; `-` if the credentials do not show it. */
  readonly user: string;
  readonly address: string;
  readonly via: SignIn;
}

/** Called for each verification, but not if credentials that were correct before are verified again. */
export type OnSignIn = (attempt: SignInAttempt) => void;

export const UNKNOWN_USER = '-';

/** Returns the result that an error of a verification means; undefined for an unexpected error. */
export function findRefusal(error: unknown): SignInResult | undefined {
  if (!(error instanceof Problem)) return undefined;
  switch (error.code) {
    case 'too-many-attempts':
      return 'throttled';
    case 'provider-unavailable':
      return 'unavailable';
    default:
      return 'failure';
  }
}
