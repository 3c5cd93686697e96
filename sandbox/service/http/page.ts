import { adminPath, pagePath } from './options';
import type { FastifyInstance } from 'fastify';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Nothing from elsewhere, and no script but those of the files; the style sheet draws its icons by `data:`. */
const policy = [
	"default-src 'self'",
	"img-src 'self' data:",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
	"object-src 'none'",
].join('; ');

const types: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.svg': 'image/svg+xml',
};

const root = path.resolve(__dirname, '..', '..', '..');
const folder = 'sandbox/service/page';
/** Files have their places in the repository, so that an import is right there as well as in a browser. */
const filesPath = `${adminPath}/files`;

/** Every file of the page, from the root of the repository. */
const names = [
	...readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`),
	'node_modules/htm/preact/standalone.module.js',
	'node_modules/@picocss/pico/css/pico.min.css',
];

/** The same by their addresses. */
const files = {
	...Object.fromEntries(names.map((name) => [`${filesPath}/${name}`, name])),
	[pagePath]: `${folder}/index.html`,
};

/** The page on which a person sees what happens to the fleet. */
export async function page(app: FastifyInstance): Promise<void> {
	for (const [url, name] of Object.entries(files)) {
		app.get(url, { schema: { hide: true } }, async (_request, reply) => {
			reply.headers({
				'Content-Security-Policy': policy,
				'X-Content-Type-Options': 'nosniff',
				'Referrer-Policy': 'no-referrer',
				'Cache-Control': 'no-cache',
			});
			return reply.type(types[path.extname(name)]!).send(await readFile(path.join(root, name)));
		});
	}
}
