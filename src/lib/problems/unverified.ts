/** Lets writes store resources that cannot be verified against their data, instead of rejecting them. */
import type { Problem } from './problem.ts';

export interface UnverifiedPolicy {
  /** A failure that is known to affect this resource too, such as that of its store; undefined to try again. */
  readonly knownFailure: Problem | undefined;
  /** Receives the reason for each resource that is stored without verification. */
  report(failure: Problem): void;
}
