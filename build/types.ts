import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { operationTypes } from './operation-types.ts';

/** A statement of a declaration file, with the comment before it. */
interface Statement {
  file: string;
  name: string;
  text: string;
}

/** The declarations of a file, and the sources of its imported names. */
interface Declarations {
  declared: Map<string, Statement>;
  /** Imported names by their local names. */
  imported: Map<string, { file: string; name: string }>;
  exported: Map<string, { file: string; name: string; isType: boolean }>;
}

/** Matches a statement whose type is inferred from a zod schema or the table of operations, which the build generates instead. */
const derived = /\bValueOf<|\boperationGroups\b|\btypeof (?:failures|exitCodes|connectionFaults|definitions)\b/;

const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replace(/'(?:[^'\\\n]|\\.)*'/g, "''");

/** Parses the compiler's output, in which each statement starts a line and nothing within one starts a line with the same words. */
function readDeclarations(file: string): Declarations {
  const found: Declarations = { declared: new Map(), imported: new Map(), exported: new Map() };
  const starts = /^(?:\/\*\*[\s\S]*?\*\/\n)?(?:import|export|declare|interface|type|abstract|class|enum)\b/gm;
  const text = readFileSync(file, 'utf8');
  const at = [...text.matchAll(starts)].map(({ index }) => index);
  for (const [i, start] of at.entries()) {
    const statement = text.slice(start, at[i + 1]).trim();
    const plain = statement.replace(/^\/\*\*[\s\S]*?\*\/\n/, '');
    const [, from] = /\bfrom '(\.[^']+)';$/.exec(plain) ?? [];
    const [, names] = /^(?:import|export)(?: type)? \{([\s\S]*?)\}/.exec(plain) ?? [];
    if (names !== undefined) {
      for (const each of names.split(',').filter((name) => name.trim())) {
        const [, isType, name = '', alias = name] = /^\s*(type )?(\w+)(?: as (\w+))?\s*$/.exec(each)!;
        const there = { file: from ? resolve(dirname(file), from.replace(/\.ts$/, '.d.ts')) : '', name };
        if (plain.startsWith('import')) found.imported.set(alias, there);
        else found.exported.set(alias, { ...there, isType: Boolean(isType) || plain.startsWith('export type') });
      }
      continue;
    }
    const [, name] = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|const|function|enum) (\w+)/.exec(plain) ?? [];
    if (name !== undefined) found.declared.set(name, { file, name, text: statement.replace(/^export /m, '') });
    else if (!/^export \{\};$/.test(plain)) throw new Error(`${file} says something that the build does not know: ${plain.slice(0, 100)}`);
  }
  return found;
}

/** Returns a single file with the exports of a declaration file and everything that they refer to. Throws for two declarations of the same name. */
function bundleDeclarations(entry: string, generated: ReadonlyMap<string, string> = new Map()): string {
  const files = new Map<string, Declarations>();
  const read = (file: string): Declarations => {
    const known = files.get(file) ?? readDeclarations(file);
    files.set(file, known);
    return known;
  };
  const needed = new Map<string, Statement>();
  const need = (file: string, name: string): void => {
    const { declared, imported } = read(file);
    const elsewhere = imported.get(name);
    if (elsewhere) {
      if (elsewhere.name !== name)
        throw new Error(`${file} calls ${elsewhere.name} ${name}; the types of the package can have one name for it`);
      need(elsewhere.file, name);
    }
    const declaration = declared.get(name);
    if (!declaration) return;
    if (derived.test(declaration.text) && generated.has(name)) {
      needGenerated(name);
      for (const [word] of code(generated.get(name)!).matchAll(/\b[A-Z]\w*\b/g)) if (declared.has(word) && word !== name) need(file, word);
      return;
    }
    const known = needed.get(name);
    if (known && known.file !== file && known.file !== '')
      throw new Error(`${known.file} and ${file} both declare ${name}, and the types of the package need both`);
    if (known) return;
    needed.set(name, declaration);
    for (const [word] of code(declaration.text).matchAll(/\b[A-Za-z_]\w*\b/g)) if (word !== name) need(file, word);
  };
  /** Adds a generated type and those that it refers to, unless there is a declaration of the same name. */
  const needGenerated = (name: string): void => {
    const text = generated.get(name);
    if (text === undefined || needed.has(name)) return;
    needed.set(name, { file: '', name, text });
    for (const [word] of code(text).matchAll(/\b[A-Za-z_]\w*\b/g)) needGenerated(word);
  };
  const { exported } = read(entry);
  for (const { file, name } of exported.values()) {
    need(file, name);
    if (!needed.has(name)) throw new Error(`${entry} exports ${name}, which ${file} does not declare`);
  }
  const names = [...exported].map(([alias, { name, isType }]) => `${isType ? 'type ' : ''}${name}${alias === name ? '' : ` as ${alias}`}`);
  const texts = [...needed.values()].map(({ text }) => withUndefined(text));
  return `${texts.join('\n\n')}\n\nexport {\n${names.map((name) => `  ${name},\n`).join('')}};\n`;
}

/** Returns a declaration whose optional members accept undefined, as callers with exactOptionalPropertyTypes need. */
const withUndefined = (text: string): string =>
  text.replace(/^( +(?:readonly )?(?:[\w$]+|\[\w+ in \w+\])\?: )(.*[^{]);$/gm, (member, start: string, type: string) =>
    // The last line of parameters ends with their parenthesis.
    /\bundefined\b/.test(type) || type.split('(').length < type.split(')').length ? member : `${start}${type} | undefined;`,
  );

/** Returns the declarations of a source file's exports as a single file. */
export async function declarationsOf(source: string): Promise<string> {
  const root = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'calendar-types-'));
  try {
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      stripInternal: true,
      outDir: folder,
      rootDir: root,
    };
    const types = [join(root, 'node_modules/@types')];
    const config = join(folder, 'tsconfig.json');
    writeFileSync(
      config,
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: { ...compilerOptions, typeRoots: types },
        files: [join(root, source)],
        include: [],
      }),
    );
    const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
    await promisify(execFile)(process.execPath, [compiler, '-p', config]);
    return bundleDeclarations(join(folder, relative(root, source).replace(/\.ts$/, '.d.ts')), operationTypes());
  } catch (error) {
    const { stdout = '' } = error as { stdout?: string };
    throw stdout ? new Error(`the types of the package do not compile:\n${stdout}`) : error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
