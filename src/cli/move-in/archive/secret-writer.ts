/** Writes secrets and placeholders into the archive: as values, or as names of environment variables. */
import type { Json } from '../../../lib/json/value.ts';

export interface SecretOptions {
  /** Values by configuration path and field, which take precedence over those of the source. */
  readonly secrets: ReadonlyMap<string, Readonly<Record<string, Json>>>;
  /** Whether the archive is a file, in which variables are inserted when it is applied. */
  readonly keepsPlaceholders: boolean;
  readonly withSecrets: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export class SecretWriter {
  readonly #options: SecretOptions;

  constructor(options: SecretOptions) {
    this.#options = options;
  }

  /** Returns the value of a secret field; undefined without one. */
  write(path: string, field: string, value: Json | undefined): Json | undefined {
    const given = this.#options.secrets.get(path);
    if (given !== undefined && Object.hasOwn(given, field)) return this.#resolve(given[field] ?? null);
    if (value === undefined) return undefined;
    const { keepsPlaceholders, withSecrets } = this.#options;
    return keepsPlaceholders && !withSecrets ? { $env: formatVariable(path, field) } : value;
  }

  /** The fields that `--secrets` sets for a path. */
  listGiven(path: string): readonly string[] {
    return Object.keys(this.#options.secrets.get(path) ?? {});
  }

  /** Returns the value of a variable; undefined if it is not set. */
  readVariable(name: string): Json | undefined {
    const { environment, keepsPlaceholders } = this.#options;
    const value = environment[name];
    return keepsPlaceholders ? { $env: name } : value;
  }

  /** Inserts variables into a text; undefined if one is not set. */
  expandText(text: string): string | undefined {
    let isComplete = true;
    const expanded = text.replaceAll(PLACEHOLDER, (_, name: string) => {
      const value = this.#options.environment[name];
      isComplete &&= value !== undefined;
      return value ?? '';
    });
    return isComplete ? expanded : undefined;
  }

  #resolve(value: Json): Json {
    const name = typeof value === 'object' && value !== null && '$env' in value ? value['$env'] : undefined;
    return typeof name === 'string' ? (this.readVariable(name) ?? value) : value;
  }
}

export const PLACEHOLDER = /\$\{([A-Za-z_][A-Za-z0-9_.]*)\}/g;

/** `/workspaces/acme/datastores/roads`, `passwd` -> `WORKSPACES_ACME_DATASTORES_ROADS_PASSWD`. */
function formatVariable(path: string, field: string): string {
  return `${path.slice(1)}_${field}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
}
