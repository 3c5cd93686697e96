/** Who may import whom; `npm run lint` checks it. */

/** Nothing below `from` may import what matches `to`. */
const never = (name, from, to, comment) => ({
	name,
	severity: 'error',
	comment,
	from: { path: from },
	to: { path: to },
});

/** The folders of nodes/shared from the ground up. */
const ROOMS = [
	...['lib', 'access', 'n8n', 'input', 'operation', 'vocabulary', 'describe', 'receive', 'client'],
	...['document', 'polling', 'resources', 'run', 'listSearch', 'node'],
];

/** No room imports one above it. */
const fromTheGround = ROOMS.slice(0, -1).map((room, index) =>
	never(
		`${room}-to-above`,
		`^nodes/shared/${room}/`,
		`^nodes/shared/(${ROOMS.slice(index + 1).join('|')})/`,
		'Rooms are read from the ground up.',
	),
);

module.exports = {
	forbidden: [
		{
			name: 'no-circle',
			severity: 'error',
			comment: 'What imports each other can only be understood, tested and moved together.',
			from: {},
			to: { circular: true },
		},
		{
			name: 'no-circle-of-folders',
			severity: 'error',
			comment: 'What is below a folder can be read without it.',
			scope: 'folder',
			from: { path: '^(nodes|credentials)' },
			to: { circular: true },
		},
		{
			name: 'not-found',
			severity: 'error',
			comment: 'It is spelt wrong, gone, or of a package that is not installed.',
			from: {},
			to: { couldNotResolve: true },
		},
		{
			name: 'other-node',
			severity: 'error',
			comment:
				'What several nodes need belongs into nodes/shared; a list of all tables, into neither.',
			from: { path: '^nodes/([^/]+)/' },
			to: { path: '^nodes/', pathNot: '^nodes/(($1|shared)/|resources[.]ts$)' },
		},
		never(
			'package-to-tools',
			'^(nodes|credentials)/',
			'^(sandbox|test|tools)/',
			'What is published holds none of them.',
		),
		...fromTheGround,
		never(
			'access-to-others',
			'^nodes/shared/access/',
			'^nodes/(?!shared/(access|lib)/)',
			'What is signed is judged from the request alone.',
		),
		never(
			'client-to-operation',
			'^nodes/shared/client/',
			'^nodes/shared/(operation|describe)/',
			'The connection of an account knows no operation.',
		),
		never(
			'sandbox-to-package',
			'^sandbox/',
			'^(nodes(?!/shared/vocabulary/realWords\\.json)|credentials|test|tools)/',
			'What the nodes are tested against must not make their mistakes.',
		),
		never(
			'engine-to-service',
			'^sandbox/service/engine/',
			'^sandbox/service/(domain|http)/',
			'The engine knows nothing of the Site Management Service.',
		),
		never(
			'http-to-domain',
			'^sandbox/service/http/',
			'^sandbox/service/domain/',
			'HTTP is spoken alike for all resources.',
		),
		{
			name: 'page-to-service',
			severity: 'error',
			comment: 'It runs in a browser, which gets only these files.',
			from: { path: '^sandbox/service/page/' },
			to: { pathNot: '^(sandbox/service/page|node_modules/htm)/' },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: {
			path: '^(dist|sandbox/n8n|sandbox/[.]data|test/[.]tmp|(test/compat/[^/]+|tools/registry)/node_modules)/',
		},
		enhancedResolveOptions: {
			exportsFields: ['exports'],
			conditionNames: ['import', 'require', 'node', 'default', 'types'],
		},
		tsConfig: { fileName: 'tsconfig.json' },
		// Types count, too: whoever changes one changes the other.
		tsPreCompilationDeps: true,
	},
};
