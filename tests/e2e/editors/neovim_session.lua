-- Plays one session in a real Neovim: the configuration of the documentation is loaded before.
-- Every step is reported as a JSON line; the caller judges.

local out = io.open(vim.env.SCOPE_REPORT, "w")
local function report(step, value)
  out:write(vim.json.encode({ step = step, value = value }) .. "\n")
  out:flush()
end

local function wait(what, condition)
  if not vim.wait(60000, condition, 50) then
    report("timeout", what)
    vim.cmd("cquit 1")
  end
end

local function client()
  return vim.lsp.get_clients({ name = "scope" })[1]
end

local progress = {}
vim.api.nvim_create_autocmd("LspProgress", {
  callback = function(event)
    table.insert(progress, event.data.params.value.kind)
  end,
})

vim.cmd.edit("views.py")
local source = vim.api.nvim_get_current_buf()
wait("the server attaches", function()
  return #vim.lsp.get_clients({ bufnr = source, name = "scope" }) > 0
end)
report("attached", client().server_info.name)

-- The question of the command line, as a user types it.
vim.cmd("ScopeAsk How does authentication check a password?")
wait("the document opens", function()
  return vim.api.nvim_buf_get_name(0):find("%.scope[/\\]scope%-") ~= nil
end)
local document = vim.api.nvim_get_current_buf()
wait("the server attaches to the document", function()
  return #vim.lsp.get_clients({ bufnr = document, name = "scope" }) > 0
end)
report("document", vim.api.nvim_buf_get_name(document))
wait("progress ends", function()
  return vim.tbl_contains(progress, "end")
end)
report("progress", progress)

-- Stand on the first reference to auth.py and follow it.
vim.fn.cursor(1, 1)
local line = vim.fn.search([[\[auth\.py:]], "W")
report("reference line", vim.fn.getline(line))
vim.lsp.buf.hover()
local hover
wait("the hover shows", function()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      local buffer = vim.api.nvim_win_get_buf(window)
      hover = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
      return true
    end
  end
end)
report("hover", hover)
vim.lsp.buf.definition()
wait("the definition opens", function()
  return vim.fs.basename(vim.api.nvim_buf_get_name(0)) == "auth.py"
end)
report("definition", { vim.api.nvim_buf_get_name(0), vim.fn.line("."), vim.fn.getline(".") })

-- Code actions on a name; the last one is run.
vim.fn.cursor(vim.fn.search("def check_password"), 6)
local titles
vim.ui.select = function(items, options, on_choice)
  titles = vim.tbl_map(options.format_item or tostring, items)
  on_choice(items[#items], #items)
end
vim.lsp.buf.code_action()
wait("the answer to the action opens", function()
  local name = vim.api.nvim_buf_get_name(0)
  return titles ~= nil and name:find("%.scope[/\\]scope%-who") ~= nil
end)
report("actions", titles)
report("action document", table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n"))

-- An unsaved change is what the next answer cites.
vim.cmd.edit("auth.py")
vim.api.nvim_buf_set_lines(0, 0, 0, false, { "# one", "# two", "# three 😀" })
vim.cmd("ScopeAsk Where is check_password defined?")
wait("the third document opens", function()
  return vim.api.nvim_buf_get_name(0):find("scope%-where%-is%-check") ~= nil
end)
report("unsaved", table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n"))

-- The unsaved lines have moved what the first document cites: it tells, and updates itself.
local function codes(buffer)
  return vim.tbl_map(function(item)
    return { item.code, item.message, item.lnum + 1 }
  end, vim.diagnostic.get(buffer))
end
vim.api.nvim_set_current_buf(document)
wait("the document tells what has moved", function()
  return #vim.diagnostic.get(document) > 0
end)
report("diagnostics", codes(document))
local moved = vim.iter(vim.diagnostic.get(document)):find(function(item)
  return item.message:find("auth%.py") ~= nil
end)
vim.api.nvim_win_set_cursor(0, { moved.lnum + 1, moved.col + 2 })
local function request(method, params)
  local answer = client():request_sync(method, params, 60000, document)
  return answer and answer.result
end
local here = vim.lsp.util.make_position_params(0, client().offset_encoding)
report("moved hover", request("textDocument/hover", here).contents.value)
report("moved definition", request("textDocument/definition", here).range.start.line + 1)
local links = request("textDocument/documentLink", { textDocument = here.textDocument })
report("moved links", vim.tbl_map(function(link)
  return link.target
end, links))
local fixes
vim.ui.select = function(items, options, on_choice)
  fixes = vim.tbl_map(options.format_item or tostring, items)
  for at, title in ipairs(fixes) do
    if title:find("Update all moved references", 1, true) then
      return on_choice(items[at], at)
    end
  end
end
vim.lsp.buf.code_action()
wait("the document is updated", function()
  return fixes ~= nil and #vim.diagnostic.get(document) == 0
end)
report("fixes", fixes)
report("updated document", table.concat(vim.api.nvim_buf_get_lines(document, 0, -1, false), "\n"))

-- Code that is gone is not shown.
local code = vim.fn.bufnr("auth.py")
local kept = vim.api.nvim_buf_get_lines(code, 0, -1, false)
vim.api.nvim_buf_set_lines(code, 0, -1, false, { "x = 1" })
wait("the document tells what is gone", function()
  return vim.iter(vim.diagnostic.get(document)):any(function(item)
    return item.code == "gone"
  end)
end)
report("gone hover", request("textDocument/hover", here).contents.value)
vim.api.nvim_buf_set_lines(code, 0, -1, false, kept)
local shown
local show = vim.lsp.handlers["window/showMessage"]
vim.lsp.handlers["window/showMessage"] = function(error, params, ...)
  shown = params.message
  return show(error, params, ...)
end
vim.cmd("ScopeVerify")
wait("the documents are verified", function()
  return shown ~= nil
end)
report("verified", shown)

-- A model is set, and the user says no to it; its address leads nowhere.
local asked
vim.ui.select = function(items, options, on_choice)
  asked = { options.prompt, vim.tbl_map(options.format_item or tostring, items) }
  vim.schedule(function()
    on_choice(items[#items], #items)
  end)
end
client().settings = {
  scope = {
    answer = { mode = "pipeline" },
    approval = "always",
    model = { name = "openai/none", apiBase = "http://127.0.0.1:9/v1" },
  },
}
local is_told = false
local tell = vim.lsp.handlers["workspace/configuration"]
vim.lsp.handlers["workspace/configuration"] = function(...)
  is_told = true
  return tell(...)
end
client():notify("workspace/didChangeConfiguration", { settings = client().settings })
wait("the server asks for the settings", function()
  return is_told
end)
vim.cmd("ScopeAsk What does authenticate return?")
wait("the document without a model opens", function()
  return vim.api.nvim_buf_get_name(0):find("scope%-what%-does%-authenticate") ~= nil
end)
report("asked", asked)
report("denied", table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n"))

vim.cmd("ScopeCancel")
report("done", true)
vim.cmd("qall!")
