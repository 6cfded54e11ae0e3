/** Runs a move: reads the source, plans, asks, applies and reports. */
import { CommandError, type Task } from '../../client/command.ts';
import type { Rejections } from '../archive/archive.ts';
import {
  formatChangeLine,
  formatEntries,
  formatPlanLine,
  type ReportFacts,
  toReportDocument,
} from '../report/format-report.ts';
import { MoveInError } from '../report/move-in-error.ts';
import { Report } from '../report/report.ts';
import { type KeyRing, openKeyRing } from '../security/key-ring.ts';
import { checkLayout } from '../source/open-source.ts';
import type { Source } from '../source/source.ts';
import { openSource } from './open-source.ts';
import { type CommandOptions, readCommandOptions } from './read-options.ts';
import { ArchiveTarget, mergeRejections, type Plan } from './send-archive.ts';
import { readTargetFacts, type TargetFacts } from './target-facts.ts';
import { type Translation, translateSource } from './translate-source.ts';

const EXIT_SKIPPED = 5;

/** Each attempt leaves out what the target rejected before. */
const MAX_ATTEMPTS = 20;

export async function runMoveIn(task: Task): Promise<number> {
  const run = new MoveRun(task);
  try {
    return await run.run();
  } catch (error) {
    await run.reportFailure(error);
    throw error;
  } finally {
    await run.close();
  }
}

class MoveRun {
  readonly #task: Task;
  #options: CommandOptions | undefined;
  #source: Source | undefined;
  #keys: KeyRing | undefined;
  #report = new Report();
  #plan: Plan | undefined;
  #change: number | null = null;

  constructor(task: Task) {
    this.#task = task;
  }

  async run(): Promise<number> {
    const options = await readCommandOptions(this.#task);
    this.#options = options;
    const ask = createConfirmation(this.#task, options);
    const { world } = this.#task;
    const source = await openSource(this.#task);
    this.#source = source;
    checkLayout(source);
    const message = options.message ?? `move in from ${source.label}`;
    if (options.output !== undefined) {
      const { archive } = await this.#translate(options, source, { contextPath: undefined, urlChecks: [] }, new Map());
      this.#checkStrict(options);
      const { writeArchive } = await import('../archive/write-zip.ts');
      const mode = options.translation.withSecrets ? { mode: 0o600 } : {};
      await world.writeFile(options.output, writeArchive(archive.encode(message)), mode);
      this.#printReport();
      return this.#finish(options);
    }
    const server = await this.#task.server();
    const target = new ArchiveTarget(server, message);
    const { archive } = await this.#planMove(options, source, target, await readTargetFacts(server, this.#task));
    this.#checkStrict(options);
    if (!this.#task.flag('json')) this.#printReport();
    if (!options.isDry && this.#plan !== undefined && hasSteps(this.#plan)) {
      if (!(await ask(this.#plan))) throw new MoveInError('cancelled', 'Cancelled. Nothing was applied.');
      this.#change = (await target.apply(archive, this.#plan)).change;
    }
    if (this.#task.flag('json')) world.print(`${JSON.stringify(this.#toDocument(null))}\n`);
    else world.print(formatChangeLine(this.#change));
    return this.#finish(options);
  }

  /** Translates until the target accepts the archive. */
  async #planMove(
    options: CommandOptions,
    source: Source,
    target: ArchiveTarget,
    facts: TargetFacts,
  ): Promise<Translation> {
    let rejections: Rejections = new Map();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const translation = await this.#translate(options, source, facts, rejections);
      const outcome = await target.plan(translation.archive);
      if ('plan' in outcome) {
        this.#plan = outcome.plan;
        reportUnavailable(translation, outcome.plan);
        return translation;
      }
      rejections = mergeRejections(rejections, outcome.rejections);
    }
    throw new MoveInError('configuration-invalid', `The target rejected the configuration ${MAX_ATTEMPTS} times.`);
  }

  async #translate(
    { translation: options }: CommandOptions,
    source: Source,
    { contextPath, urlChecks }: TargetFacts,
    rejections: Rejections,
  ): Promise<Translation> {
    this.#keys ??= await openKeyRing(source, options.masterPassword);
    const translation = await translateSource(source, this.#keys, {
      ...options,
      contextPath,
      targetUrlChecks: urlChecks,
      rejections,
    });
    this.#report = translation.report;
    return translation;
  }

  #checkStrict(options: CommandOptions): void {
    const count = this.#countSkipped(options);
    if (!options.isStrict || count === 0) return;
    const what = count === 1 ? '1 entry of the report is' : `${count} entries of the report are`;
    const [first] = this.#listSkipped(options);
    throw new MoveInError('strict', `${what} skipped, such as ${first?.source ?? ''}. Nothing was applied.`);
  }

  #listSkipped({ allowed }: CommandOptions) {
    return this.#report.entries.filter(({ outcome, code }) => outcome === 'skipped' && !allowed.has(code));
  }

  #countSkipped(options: CommandOptions): number {
    return this.#listSkipped(options).length;
  }

  #printReport(): void {
    const { world, flag } = this.#task;
    if (flag('json')) world.print(`${JSON.stringify(this.#toDocument(null))}\n`);
    else {
      world.print(formatEntries(this.#report));
      if (this.#plan !== undefined) world.print(formatPlanLine(this.#plan.summary));
    }
  }

  async #finish(options: CommandOptions): Promise<number> {
    await this.#writeReport(null);
    return this.#countSkipped(options) > 0 ? EXIT_SKIPPED : 0;
  }

  async reportFailure(error: unknown): Promise<void> {
    if (!(error instanceof CommandError)) return;
    await this.#writeReport({
      code: error instanceof MoveInError ? error.code : 'server-unreachable',
      message: error.message,
    });
  }

  async #writeReport(error: ReportFacts['error']): Promise<void> {
    const file = this.#options?.reportFile;
    if (file === undefined) return;
    await this.#task.world.writeFile(file, streamText(`${JSON.stringify(this.#toDocument(error), null, 2)}\n`));
  }

  #toDocument(error: ReportFacts['error']): object {
    const source = this.#source;
    const facts = source && { kind: source.kind, version: source.version, files: source.files.length };
    const plan = this.#plan?.summary ?? null;
    return toReportDocument(this.#report, { source: facts ?? null, error, plan, change: this.#change });
  }

  async close(): Promise<void> {
    await this.#source?.close();
  }
}

/** Names the resources whose data the target cannot open. */
function reportUnavailable({ archive, report }: Translation, { unverified = [] }: Plan): void {
  for (const { path, message } of unverified) {
    const source = archive.findSource(path);
    if (source === undefined) continue;
    if (/\/styles\/[^/]*$/.test(path)) {
      const remedy = 'Correct the style; until then it is drawn as the generic style.';
      report.add('style-content-invalid', { source, kind: 'style', path }, message, remedy);
      continue;
    }
    const remedy = 'Make the data available to the target; it is read as soon as it is.';
    report.add('data-unavailable', { source, path }, message, remedy);
  }
}

function hasSteps({ summary }: Plan): boolean {
  return summary.create + summary.update + summary.delete > 0;
}

function createConfirmation(
  { world }: Task,
  { isDry, isConfirmed, output }: CommandOptions,
): (plan: Plan) => Promise<boolean> {
  if (isDry || isConfirmed || output !== undefined) return async () => true;
  const { prompt } = world;
  if (prompt === undefined) {
    throw new MoveInError(
      'confirmation-required',
      'Cannot ask for confirmation without a terminal. Use --yes to apply without confirmation.',
    );
  }
  return async () => /^y(?:es)?$/i.test((await prompt('Apply these changes? [y/N] ')).trim());
}

async function* streamText(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
