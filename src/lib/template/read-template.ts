/** Reads templates: text with `${…}`, directives such as `<#if>`, and comments. */
import { ExpressionReader } from './read-expression.ts';
import { type Template, type TemplateBranch, type TemplateNode, TemplateSyntaxError } from './template.ts';

/** Deeper nesting would exhaust the stack. */
const MAX_DEPTH = 50;

const directives = ['if', 'elseif', 'else', 'list', 'assign', 'break'];

/** Values are always escaped, and numbers and dates have one format. */
const ignoredDirectives = ['ftl', 'escape', 'setting'];

/** Throws a TemplateSyntaxError. */
export function readTemplate(text: string): Template {
  const reader = new TemplateReader(text);
  const { nodes, end } = reader.readNodes(0);
  if (end !== undefined) throw new TemplateSyntaxError(`${formatTag(end.tag)} has no start`, end.offset);
  return { nodes, warnings: [...reader.warnings] };
}

/** The tag after a list of nodes. */
interface EndTag {
  readonly tag: string;
  readonly offset: number;
}

interface NodeList {
  readonly nodes: readonly TemplateNode[];
  /** Undefined at the end of the template. */
  readonly end: EndTag | undefined;
}

const SPECIAL = /\$\{|<#--|<\/?#[A-Za-z]+|<\/?@/g;

class TemplateReader {
  readonly #text: string;
  #offset = 0;
  #lists = 0;
  readonly warnings = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads until a tag that ends or continues the surrounding directive. */
  readNodes(depth: number): NodeList {
    if (depth > MAX_DEPTH)
      throw new TemplateSyntaxError(`directives may be nested ${MAX_DEPTH} levels deep`, this.#offset);
    const nodes: TemplateNode[] = [];
    for (;;) {
      SPECIAL.lastIndex = this.#offset;
      const found = SPECIAL.exec(this.#text);
      const offset = found?.index ?? this.#text.length;
      if (offset > this.#offset) nodes.push({ kind: 'text', text: this.#text.slice(this.#offset, offset) });
      this.#offset = offset;
      if (found === null) return { nodes, end: undefined };
      const [tag] = found;
      this.#offset += tag.length;
      if (tag === '${') {
        nodes.push(this.#readValue());
      } else if (tag === '<#--') {
        this.#skipComment(offset);
      } else {
        const end = this.#readTag(tag, offset, nodes, depth);
        if (end !== undefined) return { nodes, end };
      }
    }
  }

  #readValue(): TemplateNode {
    const reader = new ExpressionReader(this.#text, this.#offset, '}');
    const expression = reader.read();
    reader.expect('}');
    this.#offset = reader.offset;
    return { kind: 'value', expression };
  }

  #skipComment(start: number): void {
    const end = this.#text.indexOf('-->', this.#offset);
    if (end < 0) throw new TemplateSyntaxError('the comment has no end', start);
    this.#offset = end + '-->'.length;
  }

  /** Returns the tag if it belongs to the surrounding directive. */
  #readTag(tag: string, offset: number, nodes: TemplateNode[], depth: number): EndTag | undefined {
    const name = tag.replace(/^<\/?[#@]/, '');
    const isEnd = tag.startsWith('</');
    if (!isEnd && ignoredDirectives.includes(name)) {
      this.#skipTag(offset);
      this.warnings.add(`The directive <#${name}> has no effect.`);
      return undefined;
    }
    if (isEnd && name === 'escape') {
      this.#skipTag(offset);
      return undefined;
    }
    if (!directives.includes(name) || tag.includes('@')) {
      const known = [...directives, ...ignoredDirectives].map((each) => `<#${each}>`).join(', ');
      throw new TemplateSyntaxError(`unknown directive ${formatTag(tag)}. Available: ${known} and comments`, offset);
    }
    if (isEnd || name === 'else' || name === 'elseif') return { tag, offset };
    nodes.push(...this.#readDirective(name, offset, depth));
    return undefined;
  }

  #readDirective(name: string, offset: number, depth: number): readonly TemplateNode[] {
    switch (name) {
      case 'if':
        return [this.#readIf(offset, depth)];
      case 'list':
        return [this.#readList(offset, depth)];
      case 'assign':
        return this.#readAssignments();
      default:
        if (this.#lists === 0) throw new TemplateSyntaxError('<#break> is only allowed in a <#list>', offset);
        this.#skipTag(offset);
        return [{ kind: 'break' }];
    }
  }

  #readIf(start: number, depth: number): TemplateNode {
    const branches: TemplateBranch[] = [];
    let condition: TemplateBranch['condition'] = this.#readCondition();
    for (;;) {
      const { nodes, end } = this.readNodes(depth + 1);
      branches.push({ condition, nodes });
      const isLast = condition === undefined;
      if (end?.tag === '</#if') {
        this.#skipTag(end.offset);
        return { kind: 'if', branches };
      }
      if (end === undefined) throw new TemplateSyntaxError('<#if> has no end. Add </#if>', start);
      if (isLast || end.tag.startsWith('</')) {
        throw new TemplateSyntaxError(`expected </#if>, found ${formatTag(end.tag)}`, end.offset);
      }
      if (end.tag === '<#else') this.#skipTag(end.offset);
      condition = end.tag === '<#else' ? undefined : this.#readCondition();
    }
  }

  #readCondition(): NonNullable<TemplateBranch['condition']> {
    const reader = new ExpressionReader(this.#text, this.#offset, '>');
    const condition = reader.read();
    reader.expect('>');
    this.#offset = reader.offset;
    return condition;
  }

  #readList(start: number, depth: number): TemplateNode {
    const reader = new ExpressionReader(this.#text, this.#offset, '>');
    const items = reader.read();
    reader.expect('as');
    const name = reader.readName();
    reader.expect('>');
    this.#offset = reader.offset;
    this.#lists += 1;
    const inside = this.readNodes(depth + 1);
    const hasElse = inside.end?.tag === '<#else';
    if (hasElse) this.#skipTag(start);
    const otherwise = hasElse ? this.readNodes(depth + 1) : { nodes: [], end: inside.end };
    this.#lists -= 1;
    const { end } = otherwise;
    if (end === undefined) throw new TemplateSyntaxError('<#list> has no end. Add </#list>', start);
    if (end.tag !== '</#list')
      throw new TemplateSyntaxError(`expected </#list>, found ${formatTag(end.tag)}`, end.offset);
    this.#skipTag(end.offset);
    return { kind: 'list', items, name, nodes: inside.nodes, otherwise: otherwise.nodes };
  }

  #readAssignments(): readonly TemplateNode[] {
    const reader = new ExpressionReader(this.#text, this.#offset, '>');
    const assignments: TemplateNode[] = [];
    do {
      const name = reader.readName();
      reader.expect('=');
      assignments.push({ kind: 'assign', name, expression: reader.read() });
      reader.accept(',');
    } while (!reader.accept('/>') && !reader.accept('>'));
    this.#offset = reader.offset;
    return assignments;
  }

  #skipTag(start: number): void {
    const end = this.#text.indexOf('>', this.#offset);
    if (end < 0) throw new TemplateSyntaxError("the tag has no end. Add '>'", start);
    this.#offset = end + 1;
  }
}

function formatTag(tag: string): string {
  return `${tag}>`;
}
