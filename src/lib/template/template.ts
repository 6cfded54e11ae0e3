/** The model of templates: a safe language with the syntax that FreeMarker templates of map servers use. */

/** A value in a template. Objects are maps, so that a template cannot reach anything else. */
export type TemplateValue = string | number | boolean | readonly TemplateValue[] | TemplateObject | undefined;

export type TemplateObject = ReadonlyMap<string, TemplateValue>;

/** Determines how values are escaped. */
export type TemplateOutput = 'html' | 'json' | 'text';

export interface Template {
  readonly nodes: readonly TemplateNode[];
  /** Directives that are accepted without an effect. */
  readonly warnings: readonly string[];
}

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly expression: TemplateExpression }
  | { readonly kind: 'assign'; readonly name: string; readonly expression: TemplateExpression }
  | { readonly kind: 'if'; readonly branches: readonly TemplateBranch[] }
  | {
      readonly kind: 'list';
      readonly items: TemplateExpression;
      readonly name: string;
      readonly nodes: readonly TemplateNode[];
      /** For an empty list. */
      readonly otherwise: readonly TemplateNode[];
    }
  | { readonly kind: 'break' };

export interface TemplateBranch {
  /** Undefined for the last branch, `<#else>`. */
  readonly condition: TemplateExpression | undefined;
  readonly nodes: readonly TemplateNode[];
}

export type TemplateExpression =
  | { readonly kind: 'literal'; readonly value: TemplateValue }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly of: TemplateExpression; readonly key: TemplateExpression }
  | { readonly kind: 'sequence'; readonly items: readonly TemplateExpression[] }
  | { readonly kind: 'range'; readonly from: TemplateExpression; readonly to: TemplateExpression }
  | { readonly kind: 'exists'; readonly of: TemplateExpression }
  | { readonly kind: 'default'; readonly of: TemplateExpression; readonly otherwise: TemplateExpression }
  | { readonly kind: 'not' | 'negative'; readonly of: TemplateExpression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: TemplateExpression;
      readonly right: TemplateExpression;
    }
  | {
      readonly kind: 'builtIn';
      readonly name: string;
      readonly of: TemplateExpression;
      readonly parameters: readonly TemplateExpression[];
    };

export type BinaryOperator = '||' | '&&' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '%';

/** A template that cannot be read, with the position of the fault in UTF-16 units. */
export class TemplateSyntaxError extends Error {
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super(reason);
    this.offset = offset;
  }
}
