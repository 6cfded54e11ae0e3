/** The configuration in a file, as it is sent: with the environment in place of what stands for it. */
import { parseAsWritten } from '../lib/json/as-written.ts';
import type { Json, JsonObject } from '../lib/json/value.ts';
import { CommandError, type Request, type World } from './command.ts';

/** What a ZIP archive begins with. */
const ZIP = Buffer.from('PK\u0003\u0004');

/** `message` becomes what the change is called. */
export async function sentDocument(
  name: string,
  world: World,
  message?: string,
): Promise<NonNullable<Request['body']>> {
  const bytes = await world.readFile(name);
  const complete = (text: string) => {
    const document = withEnvironment(parsed(text, name), world.environment, name);
    return JSON.stringify(message === undefined ? document : withMessage(document, message));
  };
  if (!bytes.subarray(0, ZIP.length).equals(ZIP)) {
    return { type: 'application/json', bytes: Buffer.from(complete(bytes.toString())) };
  }
  const { documentIn, withDocument } = await import('./archive.ts');
  const text = documentIn(bytes);
  const isWhole = text === undefined || (message === undefined && !text.includes('"$env"'));
  return { type: 'application/zip', bytes: isWhole ? bytes : withDocument(bytes, complete(text)) };
}

function parsed(text: string, name: string): Json {
  try {
    return parseAsWritten(text);
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new CommandError(
      `${name === '-' ? 'Standard input' : `'${name}'`} is neither JSON nor an archive: ${reason}`,
    );
  }
}

function withMessage(document: Json, message: string): Json {
  return typeof document === 'object' && document !== null && !Array.isArray(document)
    ? { ...document, message }
    : document;
}

/** Replaces every `{ "$env": "NAME" }`; all that are not set are named at once. */
function withEnvironment(document: Json, environment: World['environment'], name: string): Json {
  const missing = new Set<string>();
  const replaced = (value: Json): Json => {
    if (typeof value !== 'object' || value === null) return value;
    if (isList(value)) return value.map(replaced);
    const variable = variableIn(value);
    if (variable === undefined) {
      return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, replaced(inner)]));
    }
    const text = environment[variable];
    if (text === undefined) missing.add(variable);
    return text ?? null;
  };
  const result = replaced(document);
  if (missing.size > 0) {
    const names = [...missing].join(', ');
    throw new CommandError(`'${name}' needs environment variables that are not set: ${names}.`);
  }
  return result;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function variableIn(value: JsonObject): string | undefined {
  const { $env, ...others } = value;
  return typeof $env === 'string' && Object.keys(others).length === 0 ? $env : undefined;
}
