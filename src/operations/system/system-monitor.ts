/** Looks at the machine every few seconds in the background, so that no request ever waits for it. */
import { buildMetrics, type Metric } from './metrics.ts';
import { type ProcessSample, ProcessSampler } from './process-sampler.ts';
import { type MachineFacts, type MachineProbe, noMachineFacts } from './sample.ts';

export interface SystemMonitorOptions {
  readonly probe: MachineProbe;
  readonly clock: () => number;
  readonly intervalMs: number;
  /** Hears why the machine could not be looked at. */
  readonly report: (reason: unknown) => void;
}

export interface SystemStatus {
  readonly sampledAtMs: number;
  readonly metrics: readonly Metric[];
}

export class SystemMonitor {
  readonly #options: SystemMonitorOptions;
  readonly #sampler = new ProcessSampler();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #quick: ProcessSample | undefined;
  #facts: MachineFacts = noMachineFacts;
  #status: SystemStatus | undefined;
  #hasFailed = false;

  constructor(options: SystemMonitorOptions) {
    this.#options = options;
  }

  /** Begins with what can be told at once; the rest follows as soon as it is known. */
  start(): void {
    this.#timer ??= setInterval(() => this.#look(), this.#options.intervalMs).unref();
    this.#look();
  }

  /** Does not wait for a look under way: a disk that never answers must not keep the server from closing. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** What was seen last; never waits. */
  getLatest(): SystemStatus {
    return this.#status ?? this.#note();
  }

  /** Resolved when the look under way, if there is one, has ended. */
  async waitUntilIdle(): Promise<void> {
    await this.#looking;
  }

  /** Whether the machine was looked at lately. */
  isWatching(): boolean {
    const ageMs = this.#options.clock() - this.getLatest().sampledAtMs;
    return this.#timer !== undefined && !this.#hasFailed && ageMs < 3 * this.#options.intervalMs;
  }

  /** A look that takes longer than the interval is not joined by a second one. */
  #look(): void {
    this.#quick = this.#sampler.read();
    this.#note();
    this.#looking ??= this.#readMachine();
  }

  async #readMachine(): Promise<void> {
    try {
      this.#facts = await this.#options.probe.read();
      this.#hasFailed = false;
    } catch (reason) {
      this.#facts = noMachineFacts;
      if (!this.#hasFailed) {
        this.#options.report(reason);
      }
      this.#hasFailed = true;
    }
    this.#looking = undefined;
    this.#note();
  }

  #note(): SystemStatus {
    this.#quick ??= this.#sampler.read();
    const metrics = buildMetrics({ ...this.#facts, ...this.#quick });
    this.#status = { sampledAtMs: this.#options.clock(), metrics };
    return this.#status;
  }
}
