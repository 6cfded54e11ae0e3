/** Keys of service rules: `service.method`, such as `wfs.GetFeature`. */
import { problem } from '../../lib/problem.ts';
import { ANY, isPlainText } from './layer-key.ts';
import { printable } from './printable.ts';

export interface ServiceKey {
  readonly service: string;
  readonly method: string;
}

export function parseServiceKey(text: string): ServiceKey {
  const parts = text.trim().split('.');
  const [service = '', method = ''] = parts;
  if (parts.length !== 2 || !isPart(service) || !isPart(method)) {
    throw malformed(text, "it must be '<service>.<method>', such as 'wfs.GetFeature' or 'wms.*'");
  }
  if (service === ANY && method !== ANY) {
    throw malformed(text, "a rule for all services must be for all methods: '*.*'");
  }
  return { service, method };
}

export function printServiceKey({ service, method }: ServiceKey): string {
  return `${service}.${method}`;
}

/** Services and methods are words of protocols. */
function isPart(part: string): boolean {
  return part !== '' && isPlainText(part) && !/[\s/\\]/.test(part);
}

function malformed(key: string, reason: string) {
  return problem('rule-malformed', { key: printable(key), reason });
}
