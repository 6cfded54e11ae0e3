/** Creates the spans of requests and of their stages, and passes finished spans to an exporter. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Span, SpanAttributes, SpanResult, Tracer } from '../../lib/measure/tracer.ts';
import type { FinishedSpan } from './span-exporter.ts';
import type { Sampler } from './trace-settings.ts';

interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** The header of W3C Trace Context, version 00; later versions may add fields. */
const traceparentPattern = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

/** Half of the hexadecimal digits of a trace id are read as a number; 13 digits are exact. */
const RATIO_DIGITS = 13;

export class RequestTracer implements Tracer {
  readonly #sampler: Sampler;
  readonly #export: (span: FinishedSpan) => void;
  readonly #current = new AsyncLocalStorage<SpanContext>();

  constructor(sampler: Sampler, exportSpan: (span: FinishedSpan) => void) {
    this.#sampler = sampler;
    this.#export = exportSpan;
  }

  startRequest(traceparent: string | undefined): Span {
    const [, parentTrace, parentSpan, flags = '0'] = traceparentPattern.exec(traceparent ?? '') ?? [];
    const traceId = parentTrace ?? randomBytes(16).toString('hex');
    const isParentSampled = (Number.parseInt(flags, 16) & 1) === 1;
    const isSampled =
      parentTrace !== undefined && this.#sampler.followsParent ? isParentSampled : this.#isChosen(traceId);
    return this.#start({ traceId, spanId: createSpanId(), isSampled }, parentSpan, { name: 'request', kind: 'server' });
  }

  startSpan(name: string, kind: 'internal' | 'client', attributes?: SpanAttributes): Span | undefined {
    const parent = this.#current.getStore();
    if (parent?.isSampled !== true) return undefined;
    return this.#start({ ...parent, spanId: createSpanId() }, parent.spanId, { name, kind, attributes });
  }

  getCurrent(): Pick<Span, 'traceId' | 'spanId'> | undefined {
    const current = this.#current.getStore();
    return current && { traceId: current.traceId, spanId: current.spanId };
  }

  formatTraceparent(): string | undefined {
    const current = this.#current.getStore();
    return current && `00-${current.traceId}-${current.spanId}-${current.isSampled ? '01' : '00'}`;
  }

  #isChosen(traceId: string): boolean {
    const { share } = this.#sampler;
    return Number.parseInt(traceId.slice(-RATIO_DIGITS), 16) < share * 16 ** RATIO_DIGITS;
  }

  #start(
    context: SpanContext,
    parentSpanId: string | undefined,
    {
      name,
      kind,
      attributes = {},
    }: Pick<FinishedSpan, 'name' | 'kind'> & { readonly attributes?: SpanAttributes | undefined },
  ): Span {
    const startMs = performance.timeOrigin + performance.now();
    let isEnded = false;
    return {
      traceId: context.traceId,
      spanId: context.spanId,
      run: (work) => this.#current.run(context, work),
      end: (result: SpanResult = {}) => {
        if (isEnded || !context.isSampled) return;
        isEnded = true;
        this.#export({
          traceId: context.traceId,
          spanId: context.spanId,
          parentSpanId,
          name: result.name ?? name,
          kind,
          startMs,
          endMs: performance.timeOrigin + performance.now(),
          attributes: { ...attributes, ...result.attributes },
          isFailed: result.isFailed ?? false,
        });
      },
    };
  }
}

function createSpanId(): string {
  return randomBytes(8).toString('hex');
}
