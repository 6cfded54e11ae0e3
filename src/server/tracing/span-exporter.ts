/**
 * Sends finished spans to an OpenTelemetry collector (OTLP over HTTP, as JSON). The queue is limited: while the collector
 * does not respond, further spans are dropped, and requests never wait for it.
 */
import type { SpanAttributes } from '../../lib/measure/tracer.ts';
import type { TraceSettings } from './trace-settings.ts';

export interface FinishedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  /** In milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  readonly isFailed: boolean;
}

export type ExporterSettings = Omit<TraceSettings, 'sampler' | 'warnings'>;

export interface ExporterOptions extends ExporterSettings {
  /** Called for the first of several failures in a row. */
  readonly onError: (reason: string) => void;
}

const kinds = { internal: 1, server: 2, client: 3 } as const;
const STATUS_ERROR = 2;

/** How long a stopping server waits for the collector in total. */
const CLOSE_MS = 2_000;

export class SpanExporter {
  readonly #options: ExporterOptions;
  #queue: FinishedSpan[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #hasFailed = false;
  /** Ends requests to the collector when the server stops. */
  #closed = new AbortController();

  constructor(options: ExporterOptions) {
    this.#options = options;
  }

  /** The number of spans in memory. */
  get size(): number {
    return this.#queue.length;
  }

  add(span: FinishedSpan): void {
    const { maxQueueSize, maxBatchSize, delayMs } = this.#options;
    if (this.#queue.length >= maxQueueSize) return;
    this.#queue.push(span);
    this.#timer ??= setTimeout(() => this.#flush(), delayMs).unref();
    // After a failure the collector gets time to recover.
    if (this.#queue.length >= maxBatchSize && !this.#hasFailed) this.#flush();
  }

  /** Sends the remaining spans once. The time includes that of a request in progress. */
  async close(timeoutMs = CLOSE_MS): Promise<void> {
    clearTimeout(this.#timer);
    const closed = this.#closed;
    const deadline = setTimeout(() => closed.abort(new DOMException('The server stops.', 'TimeoutError')), timeoutMs);
    await this.#sending;
    if (!closed.signal.aborted) await this.#send(timeoutMs);
    clearTimeout(deadline);
    this.#closed = new AbortController();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#send(this.#options.timeoutMs).finally(() => {
      this.#sending = undefined;
      if (this.#queue.length > 0) {
        this.#timer ??= setTimeout(() => this.#flush(), this.#options.delayMs).unref();
      }
    });
  }

  async #send(timeoutMs: number): Promise<void> {
    const batch = this.#queue.slice(0, this.#options.maxBatchSize);
    if (batch.length === 0) return;
    const result = await this.#post(batch, timeoutMs);
    // A rejected batch would be rejected again; without a response it is sent again.
    if (result !== 'unreachable') this.#queue = this.#queue.slice(batch.length);
  }

  async #post(batch: readonly FinishedSpan[], timeoutMs: number): Promise<'sent' | 'rejected' | 'unreachable'> {
    const { endpoint, headers, onError } = this.#options;
    const report = (reason: string) => {
      if (!this.#hasFailed) onError(reason);
      this.#hasFailed = true;
    };
    try {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(this.#toDocument(batch)),
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#closed.signal]),
        redirect: 'error',
      });
      await response.body?.cancel();
      if (response.ok) {
        this.#hasFailed = false;
        return 'sent';
      }
      report(`it answered with status ${response.status}`);
      return response.status === 429 || response.status >= 500 ? 'unreachable' : 'rejected';
    } catch (error) {
      report(describeFailure(error));
      return 'unreachable';
    }
  }

  #toDocument(batch: readonly FinishedSpan[]): object {
    const { resource } = this.#options;
    return {
      resourceSpans: [
        {
          resource: { attributes: toAttributes(resource) },
          scopeSpans: [{ scope: { name: 'graticule' }, spans: batch.map(toSpan) }],
        },
      ],
    };
  }
}

function toSpan({ traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, isFailed }: FinishedSpan) {
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: toNanoseconds(startMs),
    endTimeUnixNano: toNanoseconds(endMs),
    attributes: toAttributes(attributes),
    status: isFailed ? { code: STATUS_ERROR } : {},
  };
}

/** As text, because the number exceeds what JSON numbers represent exactly. */
function toNanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n);
}

function toAttributes(attributes: SpanAttributes): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }));
}

/** Messages of fetch contain the address, which can contain credentials; codes do not. */
function describeFailure(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in time';
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  return code === undefined ? 'the connection failed' : `the connection failed (${code})`;
}
