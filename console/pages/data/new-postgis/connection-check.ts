/** Checks a connection while the user types: a dry run that creates the store returns its tables. */
import { type Signal, signal } from '@preact/signals';
import { callRest, type RestReply, rest } from '../../../rest/client.ts';
import { type RestProblem, toProblem } from '../../../rest/problems.ts';

export const connectionSteps = ['host', 'login', 'postgis', 'tables'] as const;
export type ConnectionStep = (typeof connectionSteps)[number];

export interface FoundTable {
  readonly name: string;
  readonly hasGeometry: boolean;
  readonly geometryType?: string;
  readonly srs?: string;
  readonly estimatedCount?: number;
}

export type CheckState =
  | { readonly kind: 'open' }
  | { readonly kind: 'working' }
  | { readonly kind: 'good'; readonly tables: readonly FoundTable[] }
  /** Without a step, something else than the connection is wrong, such as a name. */
  | { readonly kind: 'failed'; readonly step: ConnectionStep | undefined; readonly problem: RestProblem };

interface ContentsDocument {
  readonly contents: { readonly type: readonly FoundTable[] };
}

/** After the last key. */
const DELAY_MS = 400;

export class ConnectionCheck {
  readonly state: Signal<CheckState> = signal({ kind: 'open' });
  #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Without a document, the fields are incomplete. */
  schedule(workspace: string, document: object | undefined): void {
    this.cancel();
    if (document === undefined) return;
    this.#timer = setTimeout(() => void this.#run(workspace, document), DELAY_MS);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
    this.#stop = new AbortController();
    this.state.value = { kind: 'open' };
  }

  async #run(workspace: string, document: object): Promise<void> {
    const { signal: stop } = this.#stop;
    this.state.value = { kind: 'working' };
    try {
      const path = rest`/workspaces/${workspace}/datastores?dryRun=true&validate=connect`;
      const { body }: RestReply<ContentsDocument> = await callRest(path, {
        method: 'POST',
        body: document,
        signal: stop,
      });
      if (!stop.aborted) this.state.value = { kind: 'good', tables: body.contents.type };
    } catch (error) {
      if (!stop.aborted) this.state.value = { kind: 'failed', ...describeFailure(toProblem(error)) };
    }
  }
}

function describeFailure(problem: RestProblem) {
  const { step } = problem.document as { readonly step?: string };
  const known = connectionSteps.find((each) => each === step);
  // A database that does not answer in time names no step.
  return { problem, step: known ?? (problem.code === 'store-connection-failed' ? ('host' as const) : undefined) };
}
