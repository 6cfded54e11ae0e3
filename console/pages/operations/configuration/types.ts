/** The documents of the configuration routes. */

export type StepAction = 'create' | 'update' | 'delete';

export interface PlanStep {
  readonly action: StepAction;
  readonly kind: string;
  readonly path: string;
  readonly changes?: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[];
}

export interface Plan {
  readonly mode: 'merge' | 'mirror';
  readonly hash: string;
  readonly change: number | null;
  readonly summary: Readonly<Record<StepAction | 'unchanged', number>>;
  readonly unverified?: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  readonly steps: readonly PlanStep[];
}

/** What is compared and applied. */
export interface Candidate {
  readonly name: string;
  readonly body: Blob;
  readonly isArchive: boolean;
  readonly mode: 'merge' | 'mirror';
  readonly acceptsUnverified: boolean;
  readonly passphrase: string;
}
