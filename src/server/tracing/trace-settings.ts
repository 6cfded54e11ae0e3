/** Reads the standard environment variables of OpenTelemetry that concern traces. */

export interface TraceSettings {
  /** The address that spans are posted to. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: Sampler;
  readonly maxQueueSize: number;
  readonly maxBatchSize: number;
  readonly delayMs: number;
  /** Variables that were ignored, as sentences. */
  readonly warnings: readonly string[];
}

export interface Sampler {
  /** Whether a request with a sampled or unsampled parent follows its parent. */
  readonly followsParent: boolean;
  /** The share of other requests that are sampled, from 0 to 1. */
  readonly share: number;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Returns undefined unless traces are enabled. The specification requires a warning for each invalid value. */
export function readTraceSettings(
  variables: Variables,
  identity: { readonly version: string },
): TraceSettings | undefined {
  const read = (name: string) => variables[name]?.trim() || undefined;
  /** Variables for traces take precedence over those for all signals. */
  const findName = (name: string) =>
    read(`OTEL_EXPORTER_OTLP_TRACES_${name}`) === undefined
      ? `OTEL_EXPORTER_OTLP_${name}`
      : `OTEL_EXPORTER_OTLP_TRACES_${name}`;
  const warnings: string[] = [];
  const base = read('OTEL_EXPORTER_OTLP_ENDPOINT');
  const own = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const endpoint = own ?? (base === undefined ? undefined : `${base.replace(/\/+$/, '')}/v1/traces`);
  const isOff = read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || read('OTEL_TRACES_EXPORTER') === 'none';
  if (endpoint === undefined || isOff) return undefined;
  const collector = readCollector(
    own === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    endpoint,
  );
  const exporter = read('OTEL_TRACES_EXPORTER');
  if (exporter !== undefined && exporter !== 'otlp') {
    warnings.push('OTEL_TRACES_EXPORTER is ignored. Supported values: otlp, none.');
  }
  const protocol = read(findName('PROTOCOL'));
  if (protocol !== undefined && protocol !== 'http/json') {
    warnings.push(`${findName('PROTOCOL')} is ignored. Supported values: http/json.`);
  }
  const readNumber = (name: string, usual: number): number => {
    const number = Number(read(name) ?? usual);
    if (Number.isInteger(number) && number > 0) return number;
    warnings.push(`${name} is ignored, because it is not a positive integer.`);
    return usual;
  };
  return {
    endpoint: collector.endpoint,
    headers: { ...collector.headers, ...readPairs(read(findName('HEADERS'))) },
    timeoutMs: readNumber(findName('TIMEOUT'), 10_000),
    resource: {
      'service.name': 'graticule',
      'service.version': identity.version,
      ...readPairs(read('OTEL_RESOURCE_ATTRIBUTES')),
      ...(read('OTEL_SERVICE_NAME') === undefined ? {} : { 'service.name': read('OTEL_SERVICE_NAME') ?? '' }),
    },
    sampler: readSampler(read('OTEL_TRACES_SAMPLER'), read('OTEL_TRACES_SAMPLER_ARG'), warnings),
    maxQueueSize: readNumber('OTEL_BSP_MAX_QUEUE_SIZE', 2_048),
    maxBatchSize: readNumber('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512),
    delayMs: readNumber('OTEL_BSP_SCHEDULE_DELAY', 5_000),
    warnings,
  };
}

/** The credentials of an address are sent as a header, because `fetch` rejects such addresses. */
function readCollector(variable: string, text: string): Pick<TraceSettings, 'endpoint' | 'headers'> {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error(`${variable} is invalid. Use an http or https URL, for example http://127.0.0.1:4318`);
  }
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const login = Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64');
  return { endpoint: url.href, headers: username === '' ? {} : { authorization: `Basic ${login}` } };
}

function readSampler(name = 'parentbased_always_on', argument: string | undefined, warnings: string[]): Sampler {
  const followsParent = name.startsWith('parentbased_');
  switch (name.replace('parentbased_', '')) {
    case 'always_on':
      return { followsParent, share: 1 };
    case 'always_off':
      return { followsParent, share: 0 };
    case 'traceidratio': {
      const share = Number(argument ?? 1);
      if (share >= 0 && share <= 1) return { followsParent, share };
      warnings.push('OTEL_TRACES_SAMPLER_ARG is ignored, because it is not a number from 0 to 1.');
      return { followsParent, share: 1 };
    }
    default:
      warnings.push(
        'OTEL_TRACES_SAMPLER is ignored. Supported values: always_on, always_off, traceidratio, and these with the prefix parentbased_.',
      );
      return { followsParent: true, share: 1 };
  }
}

/** Parses `name=value,name=value` with percent-encoded values. */
function readPairs(text = ''): Readonly<Record<string, string>> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    return at < 1 || name === '' ? [] : [[name, decode(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
