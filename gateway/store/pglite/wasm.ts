import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

/** Node's types lack it. */
declare const WebAssembly: { Module: new (bytes: Uint8Array) => object };

/** V8's optimizing compiler takes memory beyond all proportion for functions larger than this. */
const maxOptimizedBytes = 64 * 1024;
/** The flags below are V8's own, and may mean something else in another version. */
const testedV8 = /^13\.6\./;
const codeSection = 10;
const hint = { lazy: 1, eager: 2 };

/**
 * Compiles PGlite's WebAssembly so that V8 never optimizes its largest functions. V8 needs 600 MB and some seconds to optimize
 * PostgreSQL's parser, which takes 1 % of a statement's time. Returns undefined with an untested V8: then PGlite
 * compiles it as usual.
 */
export function compilePostgres(): object | undefined {
  if (!testedV8.test(process.versions.v8)) return undefined;
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  const bytes = withHints(readFileSync(join(folder, 'pglite.wasm')));
  // A function that is compiled while the filter names another function never asks for its optimization. The hints limit this to
  // the large functions: V8 compiles them now, and all others when they are first called.
  setFlagsFromString('--experimental-wasm-compilation-hints');
  setFlagsFromString('--no-wasm-lazy-compilation');
  setFlagsFromString('--wasm-tier-up-filter=0');
  try {
    return new WebAssembly.Module(bytes);
  } finally {
    setFlagsFromString('--wasm-tier-up-filter=-1');
    setFlagsFromString('--wasm-lazy-compilation');
    setFlagsFromString('--no-experimental-wasm-compilation-hints');
  }
}

/** Adds a section with a compilation hint for each function, in front of the section with their code. */
function withHints(wasm: Buffer): Buffer<ArrayBuffer> {
  // The file begins with 8 bytes of magic number and version.
  let at = 8;
  const readNumber = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++] as number;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  for (;;) {
    const start = at;
    const id = wasm[at++];
    const end = readNumber() + at;
    if (id !== codeSection) {
      at = end;
      continue;
    }
    const hints = Buffer.alloc(readNumber(), hint.lazy);
    for (let index = 0; index < hints.length; index++) {
      const bytes = readNumber();
      if (bytes > maxOptimizedBytes) hints[index] = hint.eager;
      at += bytes;
    }
    return Buffer.concat([wasm.subarray(0, start), hintSection(hints), wasm.subarray(start)]);
  }
}

function hintSection(hints: Buffer): Buffer {
  const name = Buffer.from('compilationHints');
  const body = Buffer.concat([numberBytes(name.length), name, numberBytes(hints.length), hints]);
  return Buffer.concat([Buffer.from([0]), numberBytes(body.length), body]);
}

/** WebAssembly's LEB128: seven bits per byte, the lowest first. */
function numberBytes(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(value >>> (7 * bytes.length));
  return Buffer.from(bytes);
}
