import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

/** n8n's own rule sets, as its scan of community packages applies them. */
const n8nRules = (name) => ({
	plugins: { 'n8n-nodes-base': n8nNodesBase },
	rules: n8nNodesBase.configs[name].rules,
});

export default tseslint.config(
	{ ignores: ['dist', 'sandbox/n8n', 'sandbox/.data', 'test/.tmp'] },
	{ linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
	{
		files: ['**/*.ts', '**/*.mjs', '**/*.js'],
		extends: [tseslint.configs.recommended],
	},
	{
		// What is not awaited fails where nobody hears it.
		files: ['**/*.ts'],
		languageOptions: {
			parserOptions: {
				// It has all code; `tools/lint/code.mjs` hands over the program instead.
				project: './test/tsconfig.json',
				tsconfigRootDir: import.meta.dirname,
			},
		},
		rules: {
			'@typescript-eslint/no-floating-promises': 'error',
			'@typescript-eslint/no-misused-promises': 'error',
		},
	},
	{
		// The types of all code are checked at once, with those of Jest.
		files: ['credentials/**', 'nodes/**', 'sandbox/**'],
		rules: {
			'no-restricted-globals': [
				'error',
				...[
					'jest',
					'describe',
					'it',
					'test',
					'expect',
					'beforeAll',
					'beforeEach',
					'afterEach',
					'afterAll',
				],
			],
		},
	},
	{
		// How a field is left out of an object; n8n's scan of community packages refuses that in nodes.
		files: ['sandbox/**', 'test/**', 'tools/**'],
		rules: {
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
			// Each part of the service adds its own to this interface.
			'@typescript-eslint/no-empty-object-type': ['error', { allowWithName: '^Collections$' }],
		},
	},
	{
		files: ['test/**', 'tools/**'],
		rules: {
			// Answers are JSON of any shape, which is what the tests look at.
			'@typescript-eslint/no-explicit-any': 'off',
			// What has been built is not there to be imported when the types are checked.
			'@typescript-eslint/no-require-imports': 'off',
		},
	},
	{
		files: ['test/{unit,contract,support}/**', 'tools/**'],
		ignores: ['test/support/effort.ts'],
		rules: {
			// A pull request that turns red by chance tells its author nothing.
			'no-restricted-imports': [
				'error',
				{ name: 'fast-check', message: 'Import fc from test/support/effort: it has the seed.' },
			],
			'no-restricted-properties': [
				'error',
				{ object: 'Math', property: 'random', message: 'Use Random with the seed of effort.' },
			],
		},
	},
	{
		files: ['nodes/**/*.ts', 'sandbox/service/**/*.ts'],
		rules: {
			'no-restricted-properties': [
				'error',
				{ object: 'URL', property: 'canParse', message: 'Use urlFrom: Node.js 20 gets it wrong.' },
			],
		},
	},
	{
		files: ['*.js'],
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'package.json'],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
	},
	{
		files: ['nodes/**/*.ts'],
		...n8nRules('nodes'),
		rules: {
			...n8nRules('nodes').rules,
			// They demand ['main'], where the community rule node-connection-type-literal demands the enum.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		},
	},
	{
		files: ['credentials/**/*.ts'],
		...n8nRules('credentials'),
		rules: {
			...n8nRules('credentials').rules,
			// It demands a page name of n8n's own documentation, for nodes of the main repository only.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['package.json'],
		...n8nRules('community'),
		languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
	},
);
