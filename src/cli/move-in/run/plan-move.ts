/** Plans a move: translates the source until the target accepts the archive. */
import type { ServerClient } from '../../client/command.ts';
import type { Rejections } from '../archive/archive.ts';
import type { CopiedFile, DataCopies } from '../copy/data-copies.ts';
import { listMissingFiles, sendFiles } from '../copy/send-files.ts';
import type { TargetChange, TargetChanges } from '../previous/previous-moves.ts';
import { MoveInError } from '../report/move-in-error.ts';
import { selectDeletions } from './select-deletions.ts';
import { type ArchiveTarget, mergeRejections, type Outcome, type Plan } from './send-archive.ts';
import type { Translation } from './translate-source.ts';

/** Each attempt leaves out what the target rejected before. */
const MAX_ATTEMPTS = 20;

export interface PlannedMove {
  readonly translation: Translation;
  readonly plan: Plan;
  /** The files that the target does not have yet, or that were sent. */
  readonly files: readonly CopiedFile[];
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
  plan(): Promise<PlannedMove> {
    const { target } = this.#options;
    return this.#repeat(async (translation, files) => {
      const pending = this.#findPending(files);
      const compared = pending.size > 0 || this.#hasChanges ? await this.#compare(translation) : undefined;
      if (compared === 'again' || (compared !== undefined && !('plan' in compared))) return compared;
      const tried = await target.rehearse(translation.archive, pending);
      if (compared === undefined || !('plan' in tried)) return tried;
      return { plan: { ...compared.plan, unverified: tried.plan.unverified ?? [] } };
    });
  }

  /**
   * Applies without a plan before, which would take as long again. `check` is called before files are sent; the target
   * applies everything or nothing.
   */
  apply(check: () => void): Promise<PlannedMove> {
    const { server, target, copies } = this.#options;
    const sent = new Map<string, CopiedFile>();
    return this.#repeat(async (translation, files) => {
      check();
      const compared = this.#hasChanges ? await this.#compare(translation) : undefined;
      if (compared === 'again' || (compared !== undefined && !('plan' in compared))) return compared;
      await sendFiles(server, files);
      for (const file of files) sent.set(file.sha256, file);
      await copies?.checkUnchanged((store) => translation.archive.has(store));
      return target.apply(translation.archive);
    }, sent);
  }

  /** Applies a plan; the target accepted the archive before. */
  async applyPlan({ translation: { archive }, plan }: PlannedMove): Promise<Plan> {
    const { target, copies } = this.#options;
    await copies?.checkUnchanged((store) => archive.has(store));
    const outcome = await target.apply(archive);
    if ('plan' in outcome) return { ...plan, change: outcome.plan.change };
    const [[path, { message = '' }] = ['', {}]] = outcome.rejections;
    throw new MoveInError('configuration-invalid', `The target rejects '${path}': ${message}`);
  }

  get #hasChanges(): boolean {
    return this.#options.changes?.isEmpty === false;
  }

  /** Returns the stores whose files are missing. */
  #findPending(files: readonly CopiedFile[]): ReadonlySet<string> {
    return this.#options.copies?.findStores(new Set(files.map(({ sha256 }) => sha256))) ?? new Set();
  }

  /** Translates and tries again without what the target rejects, and without what it keeps. */
  async #repeat(
    attempt: (translation: Translation, missing: readonly CopiedFile[]) => Promise<Outcome | 'again'>,
    sent: ReadonlyMap<string, CopiedFile> = new Map(),
  ): Promise<PlannedMove> {
    const { copies, server } = this.#options;
    for (let count = 1; count <= MAX_ATTEMPTS; count += 1) {
      const translation = await this.#translate();
      const { archive } = translation;
      const missing = await listMissingFiles(server, copies?.listFiles((store) => archive.has(store)) ?? []);
      const outcome = await attempt(translation, missing);
      if (outcome === 'again') continue;
      if ('rejections' in outcome) {
        this.#rejections = mergeRejections(this.#rejections, outcome.rejections);
        continue;
      }
      const { plan } = outcome;
      reportUnavailable(translation, plan, sent.size > 0 ? new Set() : this.#findPending(missing));
      return { translation, plan, files: sent.size > 0 ? [...sent.values()] : missing };
    }
    throw new MoveInError('configuration-invalid', `The target rejected the configuration ${MAX_ATTEMPTS} times.`);
  }

  /** Returns `again` if the target keeps resources that the archive would change. */
  async #compare({ archive }: Translation): Promise<Outcome | 'again'> {
    const { target, changes } = this.#options;
    const isWatched = (path: string) => changes?.find(path) !== undefined && !this.#kept.has(path);
    const outcome = await target.compare(archive, isWatched);
    if (!('plan' in outcome) || outcome.plan.watched.length === 0) return outcome;
    for (const path of outcome.plan.watched) {
      const change = changes?.find(path);
      if (change !== undefined) this.#kept.set(path, change);
    }
    return 'again';
  }

  async #translate(): Promise<Translation> {
    const { translate, created, changes } = this.#options;
    const translation = await translate({ rejections: this.#rejections, kept: this.#kept });
    if (created !== undefined) {
      translation.archive.deletions = selectDeletions(translation, created, { changes, rejections: this.#rejections });
    }
    return translation;
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
