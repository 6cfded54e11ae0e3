/** The port of traces: spans of requests and of their stages. Without a tracer, nothing is recorded. */

export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface SpanResult {
  /** Replaces the name, which may be known only at the end. */
  readonly name?: string;
  readonly attributes?: SpanAttributes;
  readonly isFailed?: boolean;
}

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Spans that the work starts are children of this one. */
  run<T>(work: () => T): T;
  /** Later calls have no effect. */
  end(result?: SpanResult): void;
}

export interface Tracer {
  /** Starts the span of an incoming request, which continues the trace of the `traceparent` header. */
  startRequest(traceparent: string | undefined): Span;
  /** Starts a child of the current span; undefined outside of sampled requests. */
  startSpan(name: string, kind: 'internal' | 'client', attributes?: SpanAttributes): Span | undefined;
  /** The current span; undefined outside of requests. */
  getCurrent(): Pick<Span, 'traceId' | 'spanId'> | undefined;
  /** The `traceparent` header for requests to other servers. */
  formatTraceparent(): string | undefined;
}

let active: Tracer | undefined;

/** Called at start-up, or with undefined to end tracing. */
export function setTracer(tracer: Tracer | undefined): void {
  active = tracer;
}

export function getTracer(): Tracer | undefined {
  return active;
}
