/** Reads one schema document into its parts. */
import { type XmlElement, xmlnsNamespace } from '../../../lib/xml/element.ts';
import { type Complaints, shown } from '../complaints.ts';
import {
  type AttributeUse,
  type ComplexType,
  createSchemaParts,
  type ElementDeclaration,
  type ExpandedName,
  keyOf,
  type NameKey,
  type Occurrence,
  type Particle,
  type Place,
  type SchemaParts,
  type SchemaReference,
  type SimpleType,
  type TypeDefinition,
  XS,
} from './schema-model.ts';

export interface SchemaDocument {
  readonly namespace: string;
  readonly references: readonly SchemaReference[];
  readonly parts: SchemaParts;
}

/** The namespaces of prefixes where an element stands. */
type Scope = ReadonlyMap<string, string>;

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';

const once: Occurrence = { min: 1, max: 1 };

/**
 * Undefined, with a complaint, for what is no schema. `ownNamespace` is that of the document that includes this one, which
 * it takes on if it has none.
 */
export function readSchema(
  root: XmlElement,
  file: string,
  ownNamespace: string,
  complaints: Complaints,
): SchemaDocument | undefined {
  if (root.local !== 'schema' || root.uri !== XS) {
    complaints.add(
      file,
      root.line,
      `The root element must be schema of the namespace ${XS}, not '${shown(root.name)}'.`,
    );
    return undefined;
  }
  const namespace = attributeOf(root, 'targetNamespace') ?? ownNamespace;
  return new SchemaReader(root, file, namespace, complaints).read();
}

class SchemaReader {
  readonly #root: XmlElement;
  readonly #file: string;
  readonly #namespace: string;
  readonly #complaints: Complaints;
  readonly #isChameleon: boolean;
  readonly #qualifiesElements: boolean;
  readonly #qualifiesAttributes: boolean;

  constructor(root: XmlElement, file: string, namespace: string, complaints: Complaints) {
    this.#root = root;
    this.#file = file;
    this.#namespace = namespace;
    this.#complaints = complaints;
    this.#isChameleon = attributeOf(root, 'targetNamespace') === undefined;
    this.#qualifiesElements = attributeOf(root, 'elementFormDefault') === 'qualified';
    this.#qualifiesAttributes = attributeOf(root, 'attributeFormDefault') === 'qualified';
  }

  read(): SchemaDocument {
    const scope = scopeIn(this.#root, new Map([['xml', XML_NAMESPACE]]));
    const parts = createSchemaParts();
    const references: SchemaReference[] = [];
    for (const child of schemaChildren(this.#root)) {
      const inner = scopeIn(child, scope);
      if (child.local === 'include' || child.local === 'import' || child.local === 'redefine') {
        references.push(this.#reference(child.local, child, inner));
      } else {
        this.#part(child, inner, parts);
      }
    }
    return { namespace: this.#namespace, references, parts };
  }

  #reference(kind: SchemaReference['kind'], element: XmlElement, scope: Scope): SchemaReference {
    const redefined = createSchemaParts();
    if (kind === 'redefine') {
      for (const child of schemaChildren(element)) this.#part(child, scopeIn(child, scope), redefined);
    }
    const location = attributeOf(element, 'schemaLocation');
    if (location === undefined && kind !== 'import') this.#complain(element, `'${kind}' must have a schemaLocation.`);
    return {
      kind,
      location,
      namespace: kind === 'import' ? (attributeOf(element, 'namespace') ?? '') : this.#namespace,
      line: element.line,
      ...(kind === 'redefine' ? { redefined } : {}),
    };
  }

  /** Something on the outermost level; what says nothing of structure is passed over. */
  #part(element: XmlElement, scope: Scope, into: SchemaParts): void {
    if (!['element', 'complexType', 'simpleType', 'group', 'attributeGroup', 'attribute'].includes(element.local))
      return;
    const local = attributeOf(element, 'name');
    if (local === undefined || local === '') {
      this.#complain(element, `'${element.local}' must have a name here.`);
      return;
    }
    const name = { uri: this.#namespace, local };
    const key = keyOf(name);
    switch (element.local) {
      case 'element':
        into.elements.set(key, this.#element(element, scope, name));
        return;
      case 'complexType':
        into.types.set(key, this.#complexType(element, scope));
        return;
      case 'simpleType':
        into.types.set(key, this.#simpleType(element, scope));
        return;
      case 'group':
        into.groups.set(key, this.#model(element, scope) ?? { kind: 'sequence', parts: [], ...once });
        return;
      case 'attributeGroup':
        into.attributeGroups.set(key, this.#attributes(element, scope));
        return;
      default:
        into.attributes.set(key, { name, ...this.#attributeType(element, scope) });
    }
  }

  #element(element: XmlElement, scope: Scope, name: ExpandedName): ElementDeclaration {
    const typeName = this.#named(element, 'type', scope);
    const inline = schemaChildren(element).find(({ local }) => local === 'complexType' || local === 'simpleType');
    const type = typeName ?? (inline && this.#inlineType(inline, scopeIn(inline, scope)));
    const heads = attributeOf(element, 'substitutionGroup')?.trim().split(/\s+/) ?? [];
    return {
      ...this.#place(element),
      name,
      ...(type === undefined ? {} : { type }),
      substitutes: heads.flatMap((head) => this.#resolved(element, head, scope) ?? []),
      isAbstract: isTrue(attributeOf(element, 'abstract')),
      isNillable: isTrue(attributeOf(element, 'nillable')),
    };
  }

  #inlineType(element: XmlElement, scope: Scope): TypeDefinition {
    return element.local === 'complexType' ? this.#complexType(element, scope) : this.#simpleType(element, scope);
  }

  #complexType(element: XmlElement, scope: Scope): ComplexType {
    const derived = schemaChildren(element).find(
      ({ local }) => local === 'complexContent' || local === 'simpleContent',
    );
    const step =
      derived && schemaChildren(derived).find(({ local }) => local === 'extension' || local === 'restriction');
    if (derived !== undefined && step === undefined) {
      this.#complain(derived, `'${derived.local}' must have an extension or a restriction.`);
    }
    const inner = derived === undefined ? scope : scopeIn(derived, scope);
    const body = step ?? element;
    const bodyScope = step === undefined ? inner : scopeIn(step, inner);
    const base = step && this.#named(step, 'base', bodyScope);
    if (step !== undefined && base === undefined) this.#complain(step, `'${step.local}' must have a base.`);
    const content = derived?.local === 'simpleContent' ? undefined : this.#model(body, bodyScope);
    return {
      ...this.#place(element),
      kind: 'complex',
      ...(base === undefined ? {} : { base }),
      derivation: step?.local === 'extension' ? 'extension' : 'restriction',
      ...(content === undefined ? {} : { content }),
      attributes: this.#attributes(body, bodyScope),
    };
  }

  #simpleType(element: XmlElement, scope: Scope): SimpleType {
    const restriction = schemaChildren(element).find(({ local }) => local === 'restriction');
    const place = this.#place(element);
    if (restriction === undefined) return { ...place, kind: 'simple' };
    const inner = scopeIn(restriction, scope);
    const inline = schemaChildren(restriction).find(({ local }) => local === 'simpleType');
    const base =
      this.#named(restriction, 'base', inner) ?? (inline && this.#simpleType(inline, scopeIn(inline, inner)));
    if (base === undefined) this.#complain(restriction, "'restriction' must have a base.");
    return { ...place, kind: 'simple', ...(base === undefined ? {} : { base }) };
  }

  /** The one sequence, choice, all or group in an element. */
  #model(element: XmlElement, scope: Scope): Particle | undefined {
    for (const child of schemaChildren(element)) {
      const particle = child.local === 'element' ? undefined : this.#particle(child, scopeIn(child, scope));
      if (particle !== undefined) return particle;
    }
    return undefined;
  }

  #particle(element: XmlElement, scope: Scope): Particle | undefined {
    switch (element.local) {
      case 'sequence':
      case 'choice':
      case 'all': {
        const parts = schemaChildren(element).flatMap((child) => this.#particle(child, scopeIn(child, scope)) ?? []);
        return { kind: element.local, parts, ...this.#occurrence(element) };
      }
      case 'group': {
        const group = this.#named(element, 'ref', scope);
        return group === undefined
          ? undefined
          : { kind: 'group', group, ...this.#place(element), ...this.#occurrence(element) };
      }
      case 'element': {
        const reference = this.#named(element, 'ref', scope);
        const occurrence = this.#occurrence(element);
        if (reference !== undefined) {
          return { kind: 'reference', element: reference, ...this.#place(element), ...occurrence };
        }
        const local = attributeOf(element, 'name');
        if (local === undefined) {
          this.#complain(element, "'element' must have a name or a ref.");
          return undefined;
        }
        const isQualified = isFormQualified(element, this.#qualifiesElements);
        const name = { uri: isQualified ? this.#namespace : '', local };
        return { kind: 'local', element: this.#element(element, scope, name), ...occurrence };
      }
      default:
        return undefined;
    }
  }

  #occurrence(element: XmlElement): Occurrence {
    const min = attributeOf(element, 'minOccurs')?.trim() ?? '1';
    const max = attributeOf(element, 'maxOccurs')?.trim() ?? '1';
    const isNumber = (text: string): boolean => /^\d{1,9}$/.test(text);
    if (!isNumber(min) || !(max === 'unbounded' || isNumber(max))) {
      this.#complain(
        element,
        `minOccurs must be a number, and maxOccurs a number or unbounded, not '${shown(min)}' and '${shown(max)}'.`,
      );
      return once;
    }
    return { min: Number(min), max: max === 'unbounded' ? Number.POSITIVE_INFINITY : Number(max) };
  }

  #attributes(element: XmlElement, scope: Scope): readonly AttributeUse[] {
    return schemaChildren(element).flatMap((child): readonly AttributeUse[] => {
      const inner = scopeIn(child, scope);
      if (child.local === 'attributeGroup') {
        const group = this.#named(child, 'ref', inner);
        return group === undefined ? [] : [{ kind: 'group', group, ...this.#place(child) }];
      }
      if (child.local !== 'attribute') return [];
      const written = attributeOf(child, 'use');
      const use = written === 'required' || written === 'prohibited' ? written : 'optional';
      const attribute = this.#named(child, 'ref', inner);
      if (attribute !== undefined) return [{ kind: 'reference', attribute, use, ...this.#place(child) }];
      const local = attributeOf(child, 'name');
      if (local === undefined) {
        this.#complain(child, "'attribute' must have a name or a ref.");
        return [];
      }
      const isQualified = isFormQualified(child, this.#qualifiesAttributes);
      const name = { uri: isQualified ? this.#namespace : '', local };
      return [{ kind: 'local', name, use, ...this.#attributeType(child, inner), ...this.#place(child) }];
    });
  }

  #attributeType(element: XmlElement, scope: Scope): { readonly type?: NameKey | SimpleType } {
    const inline = schemaChildren(element).find(({ local }) => local === 'simpleType');
    const type = this.#named(element, 'type', scope) ?? (inline && this.#simpleType(inline, scopeIn(inline, scope)));
    return type === undefined ? {} : { type };
  }

  #named(element: XmlElement, attribute: string, scope: Scope): NameKey | undefined {
    const text = attributeOf(element, attribute);
    return text === undefined ? undefined : this.#resolved(element, text.trim(), scope);
  }

  #resolved(element: XmlElement, text: string, scope: Scope): NameKey | undefined {
    const [, prefix = '', local = ''] = /^(?:([^:\s{}]+):)?([^:\s{}]+)$/.exec(text) ?? [];
    const uri = scope.get(prefix) ?? (prefix === '' ? '' : undefined);
    if (local === '' || uri === undefined) {
      const reason = local === '' ? 'is not a name' : `has the prefix '${shown(prefix)}', which is not declared`;
      this.#complain(element, `'${shown(text)}' in '${element.local}' ${reason}.`);
      return undefined;
    }
    // A document without a namespace takes that of whoever includes it, also for what it refers to.
    return keyOf({ uri: uri === '' && this.#isChameleon ? this.#namespace : uri, local });
  }

  #place(element: XmlElement): Place {
    return { file: this.#file, line: element.line };
  }

  #complain(element: XmlElement, message: string): void {
    this.#complaints.add(this.#file, element.line, message);
  }
}

function schemaChildren(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((child): child is XmlElement => child.kind === 'element' && child.uri === XS);
}

function attributeOf(element: XmlElement, name: string): string | undefined {
  return element.attributes.find(({ local, uri }) => local === name && uri === '')?.value;
}

function isTrue(text: string | undefined): boolean {
  return text?.trim() === 'true' || text?.trim() === '1';
}

function isFormQualified(element: XmlElement, byDefault: boolean): boolean {
  const form = attributeOf(element, 'form');
  return form === undefined ? byDefault : form === 'qualified';
}

function scopeIn(element: XmlElement, outer: Scope): Scope {
  const declared = element.attributes.filter(({ uri }) => uri === xmlnsNamespace);
  if (declared.length === 0) return outer;
  const scope = new Map(outer);
  for (const { name, local, value } of declared) scope.set(name === 'xmlns' ? '' : local, value);
  return scope;
}
