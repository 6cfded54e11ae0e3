/** Finds and replaces the encrypted secrets of records. */
import type { JsonObject, JsonValue, KindRules } from '../../storage/port/port.ts';
import { isSealed } from '../core/sealer.ts';

/** Returns the encrypted texts of a record. */
export function listSealedTexts(body: JsonObject, rules: Pick<KindRules, 'mask'>): readonly string[] {
  return listSecretMembers(body, rules).flatMap((member) => collectTexts(body[member] ?? null).filter(isSealed));
}

/** Returns the body with replaced encrypted texts; the same object if none changes. */
export function replaceSealedTexts(
  body: JsonObject,
  rules: Pick<KindRules, 'mask'>,
  replace: (sealed: string) => string,
): JsonObject {
  let hasChanged = false;
  const replaceText = (text: string): string => {
    const replaced = isSealed(text) ? replace(text) : text;
    hasChanged ||= replaced !== text;
    return replaced;
  };
  const entries = listSecretMembers(body, rules).map(
    (member) => [member, mapTexts(body[member] ?? null, replaceText)] as const,
  );
  return hasChanged ? { ...body, ...Object.fromEntries(entries) } : body;
}

/** Masking replaces exactly the members with secrets. */
function listSecretMembers(body: JsonObject, rules: Pick<KindRules, 'mask'>): readonly string[] {
  const masked = rules.mask(body);
  return Object.keys(body).filter((member) => body[member] !== masked[member]);
}

function collectTexts(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectTexts) : [];
}

function mapTexts(value: JsonValue, map: (text: string) => string): JsonValue {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, map)]));
}
