export default { serverExternalPackages: ['local-calendar'] };
