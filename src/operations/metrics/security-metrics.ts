/** Sign-ins by result. */
import type { SignInResult } from '../../security/sign-in-attempt.ts';
import { type Collector, createLabelledFamily } from './exposition.ts';
import { metrics } from './metric-table.ts';

export function createSignInCollector(counts: () => Readonly<Record<SignInResult, number>>): Collector {
  return () => [createLabelledFamily(metrics.signIns, 'result', Object.entries(counts()))];
}
