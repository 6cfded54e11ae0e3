/** Samples the machine every few seconds in the background, so that no request waits for it. */
import { buildMetrics, type Metric } from './metrics.ts';
import { type ProcessSample, ProcessSampler } from './process-sampler.ts';
import { type MachineFacts, type MachineProbe, noMachineFacts } from './sample.ts';

export interface SystemMonitorOptions {
  readonly probe: MachineProbe;
  readonly clock: () => number;
  readonly intervalMs: number;
  /** Receives the reason of a failed sample. */
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

  /** Starts with the values that are available immediately; the others follow. */
  start(): void {
    this.#timer ??= setInterval(() => this.#look(), this.#options.intervalMs).unref();
    this.#look();
  }

  /** Does not wait for a sample in progress: an unresponsive disk must not block the shutdown. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** The last sample; never waits. */
  getLatest(): SystemStatus {
    return this.#status ?? this.#note();
  }

  /** Resolves when the sample in progress, if any, has ended. */
  async waitUntilIdle(): Promise<void> {
    await this.#looking;
  }

  /** Whether there is a recent sample. */
  isWatching(): boolean {
    const ageMs = this.#options.clock() - this.getLatest().sampledAtMs;
    return this.#timer !== undefined && !this.#hasFailed && ageMs < 3 * this.#options.intervalMs;
  }

  /** A sample that takes longer than the interval is not started a second time. */
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
