/** Runs a move: reads the source, plans, asks, applies and reports. */
import { CommandError, ResponseError, type ServerClient, type Task } from '../../client/command.ts';
import { type CopiedFile, DataCopies } from '../copy/data-copies.ts';
import { sendFiles } from '../copy/send-files.ts';
import { formatMoveMessage, PreviousMoves, toSourceName } from '../previous/previous-moves.ts';
import {
  formatChangeLine,
  formatEntries,
  formatEntry,
  formatFilesLine,
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
import { MovePlanner, type PlannedMove, type TargetFindings } from './plan-move.ts';
import { type CommandOptions, readCommandOptions } from './read-options.ts';
import { ArchiveTarget, type Plan } from './send-archive.ts';
import { readTargetFacts, type TargetFacts } from './target-facts.ts';
import { type Translation, translateSource } from './translate-source.ts';

const EXIT_SKIPPED = 5;

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
  #copies: DataCopies | undefined;
  #files: readonly CopiedFile[] = [];
  /** The lines of the report that are printed. */
  readonly #printed = new Set<string>();

  constructor(task: Task) {
    this.#task = task;
  }

  async run(): Promise<number> {
    const options = await readCommandOptions(this.#task);
    this.#options = options;
    checkConfirmation(this.#task, options);
    const { world } = this.#task;
    const source = await openSource(this.#task);
    this.#source = source;
    checkLayout(source);
    const message = formatMoveMessage(options.sourceName ?? source.label, options.message);
    this.#copies = decideToCopy(source, options) ? new DataCopies() : undefined;
    if (options.output !== undefined) return this.#writeArchive(options, source, message);
    const server = await this.#task.server();
    const target = await ArchiveTarget.open(server, message);
    const planner = await this.#createPlanner(options, source, { server, target });
    const isPlanned = options.isDry || !options.isConfirmed;
    const planned = isPlanned ? await this.#planAndApply(options, planner) : await this.#applyAtOnce(options, planner);
    this.#change = planned.change;
    if (this.#task.flag('json')) world.print(`${JSON.stringify(this.#toDocument(null))}\n`);
    else world.print(formatChangeLine(this.#change));
    return this.#finish(options);
  }

  /** Shows the plan first, and applies exactly that plan. */
  async #planAndApply(options: CommandOptions, planner: MovePlanner): Promise<Plan> {
    const { world, flag } = this.#task;
    let planned = this.#note(await planner.plan());
    this.#checkStrict(options);
    if (!flag('json')) this.#printReport();
    if (options.isDry || !hasSteps(planned.plan)) return { ...planned.plan, change: null };
    if (!(await askForConfirmation(this.#task))) throw new MoveInError('cancelled', 'Cancelled. Nothing was applied.');
    if (planned.files.length > 0) {
      await sendFiles(await this.#task.server(), planned.files);
      // Now the target can read the data, and can find more to report.
      planned = this.#note(await planner.plan());
      this.#checkStrict(options);
      if (!flag('json')) world.print(this.#formatNewEntries());
    }
    return planner.applyPlan(planned);
  }

  async #applyAtOnce(options: CommandOptions, planner: MovePlanner): Promise<Plan> {
    const { plan } = this.#note(await planner.apply(() => this.#checkStrict(options)));
    if (!this.#task.flag('json')) this.#printReport();
    return plan;
  }

  async #writeArchive(options: CommandOptions, source: Source, message: string): Promise<number> {
    const { archive } = await this.#translate(options, source, { contextPath: undefined, urlChecks: [] });
    this.#checkStrict(options);
    const { writeArchive } = await import('../archive/write-zip.ts');
    const mode = options.translation.withSecrets ? { mode: 0o600 } : {};
    const files = this.#copies?.listFiles((store) => archive.has(store)) ?? [];
    await this.#task.world.writeFile(options.output ?? '', writeArchive(archive.encode(message), files), mode);
    this.#printReport();
    return this.#finish(options);
  }

  async #createPlanner(
    options: CommandOptions,
    source: Source,
    { server, target }: { readonly server: ServerClient; readonly target: ArchiveTarget },
  ): Promise<MovePlanner> {
    const facts = await readTargetFacts(server, this.#task);
    const { prefersSource, deletesMissing } = options;
    const previous = prefersSource && !deletesMissing ? undefined : await PreviousMoves.read(server);
    const name = toSourceName(options.sourceName ?? source.label);
    return new MovePlanner({
      server,
      target,
      copies: this.#copies,
      changes: prefersSource ? undefined : await previous?.listTargetChanges(),
      created: deletesMissing ? await previous?.listCreated(name) : undefined,
      translate: (findings) => this.#translate(options, source, facts, findings),
    });
  }

  #note(planned: PlannedMove): PlannedMove {
    this.#plan = planned.plan;
    this.#files = planned.files;
    return planned;
  }

  async #translate(
    { translation: options }: CommandOptions,
    source: Source,
    { contextPath, urlChecks }: TargetFacts,
    findings: TargetFindings = { rejections: new Map(), kept: new Map() },
  ): Promise<Translation> {
    this.#keys ??= await openKeyRing(source, options.masterPassword);
    const translation = await translateSource(source, this.#keys, {
      ...options,
      contextPath,
      targetUrlChecks: urlChecks,
      ...findings,
      copies: this.#copies,
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
      for (const entry of this.#report.entries) this.#printed.add(formatEntry(entry));
      world.print(formatEntries(this.#report));
      if (this.#plan !== undefined) world.print(formatPlanLine(this.#plan.summary));
      world.print(formatFilesLine(this.#files));
    }
  }

  /** What is only known after the files are sent. */
  #formatNewEntries(): string {
    const shown = this.#report.entries.filter(({ outcome }) => outcome !== 'ignored').map(formatEntry);
    return shown.flatMap((line) => (this.#printed.has(line) ? [] : [`${line}\n`])).join('');
  }

  async #finish(options: CommandOptions): Promise<number> {
    await this.#writeReport(null);
    return this.#countSkipped(options) > 0 ? EXIT_SKIPPED : 0;
  }

  async reportFailure(error: unknown): Promise<void> {
    if (!(error instanceof CommandError)) return;
    await this.#writeReport({
      code: findErrorCode(error),
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

function findErrorCode(error: CommandError): string {
  if (error instanceof MoveInError) return error.code;
  return error instanceof ResponseError ? (error.code ?? 'server-failed') : 'server-unreachable';
}

function hasSteps(plan: Plan | undefined): boolean {
  return plan !== undefined && plan.summary.create + plan.summary.update + plan.summary.delete > 0;
}

function checkConfirmation({ world }: Task, { isDry, isConfirmed, output }: CommandOptions): void {
  if (isDry || isConfirmed || output !== undefined || world.prompt !== undefined) return;
  throw new MoveInError(
    'confirmation-required',
    'Cannot ask for confirmation without a terminal. Use --yes to apply without confirmation.',
  );
}

async function askForConfirmation({ world }: Task): Promise<boolean> {
  const answer = await world.prompt?.('Apply these changes? [y/N] ');
  return /^y(?:es)?$/i.test((answer ?? '').trim());
}

async function* streamText(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Only stores of a directory can refer to the files of the source. */
function decideToCopy({ kind, locate }: Source, { copiesData }: CommandOptions): boolean {
  if (copiesData === true && locate === undefined) {
    throw new MoveInError(
      'option-invalid',
      'The running GeoServer serves no files, as --data copy needs. Copy its data to the target, and use --path.',
    );
  }
  return copiesData ?? (kind !== 'directory' && locate !== undefined);
}
