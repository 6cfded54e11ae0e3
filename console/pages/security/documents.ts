/** The documents of the REST paths below `/security`. Only the members that the console uses. */

export type Mode = 'read' | 'write' | 'admin';
export const modes: readonly Mode[] = ['read', 'write', 'admin'];

/** Roles by the key of the rule, separated by commas. */
export type RuleSet = Readonly<Record<string, string>>;

export interface ExplainedMode {
  readonly verdict: 'allow' | 'limit' | 'empty' | 'deny';
  readonly shownAs?: 'hidden' | 'challenge';
  readonly decidedBy: {
    readonly kind: 'administrator' | 'layer-rule' | 'data-rule' | 'default';
    readonly rule?: string;
    readonly roles?: readonly string[];
    readonly level?: string;
    readonly rules?: readonly string[];
  };
}

export interface Explanation extends Readonly<Record<Mode, ExplainedMode>> {
  readonly layer: string;
  readonly subject: { readonly user: string | null; readonly roles: readonly string[] };
  readonly data: {
    readonly applied: readonly string[];
    readonly skipped: readonly {
      readonly rule: string;
      readonly reason: 'roles' | 'disabled' | 'level' | 'variable';
    }[];
    readonly rows: string | null;
    readonly writeRows: string | null;
    readonly attributes: Readonly<Record<string, string>>;
    readonly area: readonly { readonly geometry: string; readonly crs: string; readonly mode: string }[] | null;
  } | null;
}

export interface ExplanationDocument {
  readonly explanation: Explanation;
}

export type AttributeAccess = 'hide' | 'read' | 'write';

export interface DataRule {
  readonly name: string;
  readonly layer: string;
  readonly roles: readonly string[];
  readonly enabled: boolean;
  readonly rows: string | null;
  readonly writeRows: string | null;
  readonly attributes: Readonly<Record<string, AttributeAccess>>;
  readonly area: { readonly geometry: string; readonly crs: string; readonly mode: 'intersects' | 'clip' } | null;
}

export interface DataRuleList {
  readonly dataRules: readonly DataRule[];
}

export type CatalogMode = 'HIDE' | 'MIXED' | 'CHALLENGE';

export interface User {
  readonly userName: string;
  readonly enabled: boolean;
}

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly user: string;
  readonly prefix: string;
  readonly state: 'active' | 'expired';
  readonly created: string;
  readonly expires: string | null;
  readonly idleMinutes: number | null;
  readonly lastUsed: string | null;
  readonly lastUsedFrom: string | null;
  readonly queryKey: boolean;
  readonly scopes: {
    readonly readOnly: boolean;
    readonly admin: boolean;
    readonly workspaces: readonly string[] | null;
    readonly services: readonly string[] | null;
  };
}

export interface TokenList {
  readonly tokens: readonly Token[];
}

/** Resources with their fields, including those that listings leave out. */
export interface ConfigurationDocument<F> {
  readonly resources: readonly { readonly kind: string; readonly path: string; readonly fields: F }[];
}

export interface RoleFields {
  readonly users: readonly string[];
  readonly groups: readonly string[];
}

/** The name of a resource is the last part of its path. */
export function readLastSegment(path: string): string {
  return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
}
