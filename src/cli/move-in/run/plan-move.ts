/** Plans a move: translates the source until the target accepts the archive. */
import type { ServerClient } from '../../client/command.ts';
import type { Rejections } from '../archive/archive.ts';
import type { CopiedFile, DataCopies } from '../copy/data-copies.ts';
import { listMissingFiles } from '../copy/send-files.ts';
import type { TargetChange, TargetChanges } from '../previous/previous-moves.ts';
import { MoveInError } from '../report/move-in-error.ts';
import { selectDeletions } from './select-deletions.ts';
import { type ArchiveTarget, mergeRejections, type Plan } from './send-archive.ts';
import type { Translation } from './translate-source.ts';

/** Each attempt leaves out what the target rejected before. */
const MAX_ATTEMPTS = 20;

export interface PlannedMove {
  readonly translation: Translation;
  readonly plan: Plan;
  /** The files that the target does not have yet. */
  readonly missing: readonly CopiedFile[];
}

/** What a translation takes from the target. */
export interface TargetFindings {
  readonly rejections: Rejections;
  /** Resources that the target keeps as they are. */
  readonly kept: ReadonlyMap<string, TargetChange>;
}

export interface PlannerOptions {
  readonly server: ServerClient;
  readonly target: ArchiveTarget;
  readonly copies: DataCopies | undefined;
  /** The changes of the target that the move keeps; undefined if it overwrites them. */
  readonly changes: TargetChanges | undefined;
  /** The paths that earlier moves created; undefined if nothing is deleted. */
  readonly created: ReadonlySet<string> | undefined;
  readonly translate: (findings: TargetFindings) => Promise<Translation>;
}

export class MovePlanner {
  readonly #options: PlannerOptions;
  #rejections: Rejections = new Map();
  readonly #kept = new Map<string, TargetChange>();

  constructor(options: PlannerOptions) {
    this.#options = options;
  }

  /** Remembers what the target rejected, so that a second plan after the files are sent starts with it. */
  async plan(): Promise<PlannedMove> {
    const { target, changes } = this.#options;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const translation = await this.#translate();
      const { missing, pending } = await this.#findMissing(translation);
      const outcome = await target.plan(translation.archive, {
        pending,
        isWatched: (path) => changes?.find(path) !== undefined && !this.#kept.has(path),
      });
      if ('rejections' in outcome) {
        this.#rejections = mergeRejections(this.#rejections, outcome.rejections);
        continue;
      }
      const { plan } = outcome;
      if (plan.watched.length === 0) {
        reportUnavailable(translation, plan, pending);
        return { translation, plan, missing };
      }
      for (const path of plan.watched) {
        const change = changes?.find(path);
        if (change !== undefined) this.#kept.set(path, change);
      }
    }
    throw new MoveInError('configuration-invalid', `The target rejected the configuration ${MAX_ATTEMPTS} times.`);
  }

  async #translate(): Promise<Translation> {
    const { translate, created, changes } = this.#options;
    const translation = await translate({ rejections: this.#rejections, kept: this.#kept });
    if (created !== undefined) {
      translation.archive.deletions = selectDeletions(translation, created, { changes, rejections: this.#rejections });
    }
    return translation;
  }

  async #findMissing({ archive }: Translation) {
    const { copies, server } = this.#options;
    const files = copies?.listFiles((store) => archive.has(store)) ?? [];
    const missing = await listMissingFiles(server, files);
    const pending = copies?.findStores(new Set(missing.map(({ sha256 }) => sha256))) ?? new Set<string>();
    return { missing, pending };
  }
}

/** Names the resources whose data the target cannot open; not those whose files are still to be sent. */
function reportUnavailable(
  { archive, report }: Translation,
  { unverified = [] }: Plan,
  pending: ReadonlySet<string>,
): void {
  for (const { path, message } of unverified) {
    const source = archive.findSource(path);
    const store = /^\/workspaces\/[^/]+\/[^/]+\/[^/]+/.exec(path)?.[0] ?? path;
    if (source === undefined || pending.has(store)) continue;
    if (/\/styles\/[^/]*$/.test(path)) {
      const remedy = 'Correct the style; until then it is drawn as the generic style.';
      report.add('style-content-invalid', { source, kind: 'style', path }, message, remedy);
      continue;
    }
    const remedy = 'Make the data available to the target; it is read as soon as it is.';
    report.add('data-unavailable', { source, path }, message, remedy);
  }
}
