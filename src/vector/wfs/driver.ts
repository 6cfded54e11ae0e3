/** The driver for remote WFS; its URL is checked for every request. */

import { collectSecrets, redactReason } from '../../cascade/confidential.ts';
import type { HttpCredentials, UrlGate } from '../../gates/url-gate.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import type { ConnectionParameters, VectorDriver } from '../port/driver.ts';

export const WFS_STORE_TYPE = 'Web Feature Server (NG)';

const PREFIX = 'WFSDataStoreFactory:';
const URL_PARAMETER = `${PREFIX}GET_CAPABILITIES_URL`;

/** Supported parameters, and those of other servers with the same meaning. */
const words = [
  ...['GET_CAPABILITIES_URL', 'USERNAME', 'PASSWORD', 'TIMEOUT', 'MAXFEATURES', 'PROTOCOL', 'ENCODING', 'BUFFER_SIZE'],
  ...['LENIENT', 'TRY_GZIP', 'FILTER_COMPLIANCE', 'NAMESPACE_OVERRIDE', 'USEDEFAULTSRS', 'AXIS_ORDER'],
  ...['AXIS_ORDER_FILTER', 'OUTPUTFORMAT', 'GML_COMPATIBLE_TYPENAMES', 'USE_HTTP_CONNECTION_POOLING'],
  ...['MAX_CONNECTION_POOL_SIZE', 'WFS_STRATEGY', 'SCHEMA_CACHE_LOCATION', 'AUTH_HEADERS'],
];

/** A page of features in GML has megabytes; older servers without paging send hundreds. */
const MAX_ANSWER_BYTES = 268_435_456;

/** Smaller responses are parsed on this thread in milliseconds, because a thread may have to start first. */
const SMALL_BYTES = 131_072;

export function createWfsDriver(urlGate: UrlGate, workers: WorkerPool): VectorDriver {
  return {
    type: WFS_STORE_TYPE,
    accepts: (parameters) => parameters[URL_PARAMETER] !== undefined,
    parameterNames: new Set(words.map((word) => `${PREFIX}${word}`)),
    isSecret: (name) => name === `${PREFIX}PASSWORD` || name === `${PREFIX}AUTH_HEADERS`,
    validate: (parameters) => {
      const url = URL.parse((parameters[URL_PARAMETER] ?? '').trim());
      if (url === null || !/^https?:$/.test(url.protocol)) {
        return {
          parameter: URL_PARAMETER,
          reason: 'it must be the http: or https: URL of the capabilities of a WFS',
        };
      }
      for (const word of ['TIMEOUT', 'MAXFEATURES']) {
        const value = parameters[`${PREFIX}${word}`]?.trim() ?? '';
        if (!/^\d{0,9}$/.test(value)) return { parameter: `${PREFIX}${word}`, reason: 'it must be an integer' };
      }
      return undefined;
    },
    async checkAccess(parameters) {
      const decision = await urlGate.check((parameters[URL_PARAMETER] ?? '').trim());
      // URL checks can change at any time, so they only decide when the URL is opened.
      if (decision.kind === 'refused' && decision.isInvalid) {
        throw problem('url-refused', { url: decision.shown, reason: decision.reason });
      }
    },
    async open(parameters) {
      const { openWfs } = await import('./wfs-source.ts');
      const secrets = collectSecrets(parameters[URL_PARAMETER] ?? '', createCredentials(parameters));
      return openWfs({
        capabilitiesUrl: (parameters[URL_PARAMETER] ?? '').trim(),
        maxFeatures: Number(parameters[`${PREFIX}MAXFEATURES`] ?? 0),
        fetchFromServer: (url, signal) => fetchDocument(urlGate, url, parameters, signal),
        run: async (task, input, signal) => {
          try {
            const isSmall = input.bytes.byteLength <= SMALL_BYTES;
            return await (isSmall ? task.work(input) : workers.run(task, input, { signal, deadlineMs: null }));
          } catch (error) {
            throw error instanceof Problem && error.code === 'store-unreachable'
              ? createUnreachableProblem(redactReason(String(error.details['reason']), input.bytes, secrets))
              : error;
          }
        },
      });
    },
    takesImports: false,
  };
}

async function fetchDocument(urlGate: UrlGate, url: string, parameters: ConnectionParameters, signal: AbortSignal) {
  const credentials = createCredentials(parameters);
  const timeoutMs = Number(parameters[`${PREFIX}TIMEOUT`] ?? 0);
  try {
    const { body, contentType } = await urlGate.open(url, {
      signal,
      maxBytes: MAX_ANSWER_BYTES,
      accept: 'application/xml, text/xml, */*;q=0.1',
      ...(timeoutMs > 0 ? { timeoutMs } : {}),
      ...(credentials === undefined ? {} : { credentials }),
    });
    const bytes = Buffer.concat(await body.toArray({ signal }));
    const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1];
    return { bytes, ...(charset === undefined ? {} : { charset }) };
  } catch (error) {
    const isOfGate = error instanceof Problem && error.code.startsWith('url-') && error.code !== 'url-refused';
    throw isOfGate ? createUnreachableProblem(error.message.replace(/\.$/, '')) : error;
  }
}

function createCredentials(parameters: ConnectionParameters): HttpCredentials | undefined {
  const user = parameters[`${PREFIX}USERNAME`];
  if (user === undefined) return undefined;
  const pair = `${user}:${parameters[`${PREFIX}PASSWORD`] ?? ''}`;
  return { header: 'authorization', value: `Basic ${Buffer.from(pair).toString('base64')}` };
}

function createUnreachableProblem(reason: string): Problem {
  return problem('store-unreachable', { name: '', reason });
}
