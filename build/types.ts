import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Extractor, ExtractorConfig, type ExtractorLogLevel } from '@microsoft/api-extractor';
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';

/** The literals that the type of a table has: the names of an object, or the items of a list. */
function literalsIn({ code, type }: { code: string; type: ESTree.TSType }): string[] {
  const textOf = ({ start, end }: ESTree.Span) => code.slice(start, end);
  if (type.type === 'TSTypeOperator') return type.typeAnnotation.type === 'TSTupleType' ? type.typeAnnotation.elementTypes.map(textOf) : [];
  if (type.type !== 'TSTypeLiteral') return [];
  return type.members.flatMap((member) => {
    if (member.type !== 'TSPropertySignature') return [];
    return member.key.type === 'Identifier' ? `'${member.key.name}'` : textOf(member.key);
  });
}

/**
 * A declaration file of the compiler as users need it: optional members accept undefined, also with exactOptionalPropertyTypes, and `keyof typeof table` and
 * `(typeof list)[number]` are the names in it, so that no table of the program is published.
 */
function published(code: string): string {
  const { program } = parseSync('types.d.ts', code, { lang: 'dts' });
  const tables = new Map<string, string[]>();
  const edits: { start: number; end: number; text: string }[] = [];
  const insert = (at: number, text: string) => edits.push({ start: at, end: at, text });
  const acceptUndefined = ({ start, end, type }: ESTree.TSType) => {
    const isFunction = type === 'TSFunctionType';
    if (isFunction) insert(start, '(');
    insert(end, isFunction ? ') | undefined' : ' | undefined');
  };
  new Visitor({
    VariableDeclarator({ id }) {
      if (id.type === 'Identifier' && id.typeAnnotation) tables.set(id.name, literalsIn({ code, type: id.typeAnnotation.typeAnnotation }));
    },
  }).visit(program);
  const namesIn = (type: ESTree.TSType): string | undefined => {
    if (type.type === 'TSParenthesizedType') return namesIn(type.typeAnnotation);
    const names = type.type === 'TSTypeQuery' && type.exprName.type === 'Identifier' ? tables.get(type.exprName.name) : undefined;
    return names?.length ? names.join(' | ') : undefined;
  };
  new Visitor({
    TSTypeOperator({ start, end, operator, typeAnnotation }) {
      const names = operator === 'keyof' && namesIn(typeAnnotation);
      if (names) edits.push({ start, end, text: names });
    },
    TSIndexedAccessType({ start, end, objectType, indexType }) {
      const names = indexType.type === 'TSNumberKeyword' && namesIn(objectType);
      if (names) edits.push({ start, end, text: names });
    },
    TSPropertySignature({ optional, typeAnnotation }) {
      if (optional && typeAnnotation) acceptUndefined(typeAnnotation.typeAnnotation);
    },
    PropertyDefinition({ optional, typeAnnotation }) {
      if (optional && typeAnnotation) acceptUndefined(typeAnnotation.typeAnnotation);
    },
    TSMappedType({ optional, typeAnnotation }) {
      if (optional && typeAnnotation) acceptUndefined(typeAnnotation);
    },
  }).visit(program);
  return edits.sort((a, b) => b.start - a.start).reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code);
}

/** Compiles the declarations of a source file, and of those that it imports, to files in a folder, as users need them. */
async function emitDeclarations(source: string, folder: string): Promise<void> {
  const root = process.cwd();
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
    outDir: folder,
    rootDir: root,
  };
  const config = join(folder, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { ...compilerOptions, typeRoots: typeRoots() },
      files: [join(root, source)],
      include: [],
    }),
  );
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  try {
    await promisify(execFile)(process.execPath, [compiler, '-p', config]);
  } catch (error) {
    const { stdout = '' } = error as { stdout?: string };
    throw stdout ? new Error(`the types of the package do not compile:\n${stdout}`) : error;
  }
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name);
    if (name.endsWith('.d.ts')) writeFileSync(file, published(readFileSync(file, 'utf8')));
  }
}

const typeRoots = (): string[] => [resolve('node_modules/@types')];

/** The declarations of a source file's exports as a single file. Throws if they refer to a type that they don't contain. */
export async function declarationsOf(source: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-types-'));
  try {
    await emitDeclarations(source, folder);
    const entry = join(folder, source.replace(/\.ts$/, '.d.ts'));
    const output = join(folder, 'bundle.d.ts');
    const packageFile = join(folder, 'package.json');
    writeFileSync(packageFile, '{"name":"types","version":"1.0.0"}');
    const compilerOptions = { module: 'nodenext', target: 'es2023', types: ['node'], typeRoots: typeRoots(), skipLibCheck: true };
    const { succeeded } = Extractor.invoke(
      ExtractorConfig.prepare({
        configObject: {
          projectFolder: folder,
          mainEntryPointFilePath: entry,
          compiler: { overrideTsconfig: { compilerOptions: { ...compilerOptions, allowImportingTsExtensions: true }, files: [entry] } },
          newlineKind: 'lf',
          apiReport: { enabled: false },
          docModel: { enabled: false },
          tsdocMetadata: { enabled: false },
          dtsRollup: { enabled: true, untrimmedFilePath: output },
          messages: { compilerMessageReporting: { default: { logLevel: 'error' as ExtractorLogLevel } } },
        },
        configObjectFullPath: undefined,
        packageJsonFullPath: packageFile,
      }),
      { localBuild: true, messageCallback: (message) => (message.handled = message.logLevel !== 'error') },
    );
    if (!succeeded) throw new Error('the types of the package can not be bundled');
    return readFileSync(output, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
