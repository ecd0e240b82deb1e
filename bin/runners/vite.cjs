const { vitePlugin } = require('./index.cjs');

module.exports = vitePlugin;
module.exports.default = vitePlugin;
