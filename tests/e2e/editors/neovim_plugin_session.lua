-- Plays one session with the plugin in a real Neovim; its configuration is loaded before.
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

local function name_of(window)
  return vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window))
end

local function panel()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.w[window].scope_panel then
      return window
    end
  end
end

local function quickfix()
  return vim.tbl_map(function(item)
    return { name = vim.api.nvim_buf_get_name(item.bufnr), lnum = item.lnum, text = item.text }
  end, vim.fn.getqflist())
end

local function in_code(file)
  vim.cmd("cclose")
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if window ~= panel() then
      vim.api.nvim_set_current_win(window)
    end
  end
  vim.cmd.edit(file)
  local buffer = vim.api.nvim_get_current_buf()
  wait("the server attaches to " .. file, function()
    return #vim.lsp.get_clients({ bufnr = buffer, name = "scope" }) > 0
  end)
end

local pieces = 0
vim.cmd.edit("views.py")
local code = vim.api.nvim_get_current_win()
wait("the server attaches", function()
  return #vim.lsp.get_clients({ bufnr = 0, name = "scope" }) > 0
end)
local handlers = vim.lsp.get_clients({ name = "scope" })[1].handlers
local told = handlers["scope/runEvent"]
handlers["scope/runEvent"] = function(error, message, ...)
  pieces = pieces + (message.event.type == "text" and 1 or 0)
  return told(error, message, ...)
end

vim.cmd("ScopeAsk How does authentication check a password?")
wait("the document opens beside the code", function()
  return panel() and name_of(panel()):find("%.scope[/\\]scope%-") ~= nil
end)
report("windows", #vim.api.nvim_list_wins())
report("code window keeps its file", name_of(code))
report("panel", name_of(panel()))
report("pieces", pieces)

vim.cmd("ScopePanel")
local document = vim.api.nvim_get_current_buf()
wait("the server attaches to the document", function()
  return #vim.lsp.get_clients({ bufnr = document, name = "scope" }) > 0
end)
vim.fn.cursor(1, 1)
vim.fn.search([[\[auth\.py:]], "W")
vim.fn.cursor(vim.fn.line("."), vim.fn.col(".") + 2)
local enter = vim.api.nvim_replace_termcodes("<CR>", true, false, true)
vim.api.nvim_feedkeys(enter, "mx", false)
wait("the cited file opens", function()
  return name_of(code):find("auth%.py$") ~= nil
end)
report("followed", name_of(code))
report("followed line", vim.api.nvim_win_get_cursor(code)[1])
report("windows after the link", #vim.api.nvim_list_wins())

vim.cmd("ScopeReferences")
wait("the list of references", function()
  return #vim.fn.getqflist() > 0
end)
report("quickfix", quickfix())
report("quickfix title", vim.fn.getqflist({ title = 1 }).title)

in_code("auth.py")
vim.fn.setqflist({}, "r")
vim.fn.cursor(1, 1)
vim.fn.search([[def authenticate]], "cW")
vim.fn.cursor(vim.fn.line("."), vim.fn.col(".") + 5)
vim.cmd("ScopeUses")
wait("the list of uses", function()
  return #vim.fn.getqflist() > 0
end)
report("uses", quickfix())
report("uses title", vim.fn.getqflist({ title = 1 }).title)

in_code("auth.py")
local first = vim.fn.search([[def authenticate]], "cw")
local before = name_of(panel())
vim.cmd(("%d,%dScopeAsk What does this do?"):format(first, first + 3))
wait("the second document", function()
  return name_of(panel()):find("%.scope[/\\]scope%-") ~= nil and name_of(panel()) ~= before
end)
report("about the range", table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(panel()), 0, -1, false), "\n"))
report("done", true)
out:close()
vim.cmd("qall!")
