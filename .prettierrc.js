module.exports = {
	semi: true,
	trailingComma: 'all',
	singleQuote: true,
	useTabs: true,
	tabWidth: 2,
	printWidth: 100,
	overrides: [{ files: ['package.json', '*.yml'], options: { useTabs: false } }],
};
