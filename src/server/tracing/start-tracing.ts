/** Starts traces if the environment names a collector. */
import type { FastifyBaseLogger } from 'fastify';
import { setTracer } from '../../lib/measure/tracer.ts';
import { RequestTracer } from './request-tracer.ts';
import { SpanExporter } from './span-exporter.ts';
import type { TraceSettings } from './trace-settings.ts';

/** Returns a function that sends the remaining spans and ends tracing. */
export function startTracing(
  settings: TraceSettings,
  logger: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): (timeoutMs?: number) => Promise<void> {
  for (const warning of settings.warnings) logger.warn(warning);
  // The address can contain credentials.
  const collector = new URL(settings.endpoint).host;
  const exporter = new SpanExporter({
    ...settings,
    onError: (reason) => logger.warn({ collector, reason }, 'traces could not be sent to the collector'),
  });
  setTracer(new RequestTracer(settings.sampler, (span) => exporter.add(span)));
  logger.info({ collector }, 'traces are sent to a collector');
  return async (timeoutMs) => {
    setTracer(undefined);
    await exporter.close(timeoutMs);
  };
}
